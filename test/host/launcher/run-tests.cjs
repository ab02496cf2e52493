"use strict";
// VS Code runs this instead of the real test module. It runs that module, then writes a file to say that it finished.
const { writeFileSync } = require("node:fs");

exports.run = async () => {
  const { TESTS_MODULE: tests, TESTS_MARK: mark } = process.env;
  await require(tests).run();
  writeFileSync(mark, "done");
};
