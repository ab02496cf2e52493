"use strict";
// Preloaded into the server: ends it if its parent process was killed without a chance to clean up.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1000).unref();
