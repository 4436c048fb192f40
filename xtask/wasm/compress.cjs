// Writes a file once more beside itself, compressed as much as browsers can read: node compress.cjs FILE

const { readFileSync, writeFileSync } = require('node:fs');
const { brotliCompressSync, constants } = require('node:zlib');

const [, , path] = process.argv;
const bytes = readFileSync(path);
const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
