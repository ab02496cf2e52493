"use strict";
// Mocha's reporter `spec`, which also prints the error of a test that is tried again.
const { Runner, reporters } = require("mocha");

module.exports = class SpecWithRetries extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Runner.constants.EVENT_TEST_RETRY, (test, error) => {
      console.error(`Tried again: ${test.fullTitle()}\n${error.stack}`);
    });
  }
};
