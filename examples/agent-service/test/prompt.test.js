const assert = require('node:assert/strict');
const { test } = require('node:test');
const { promptFor } = require('../service/prompt.js');

test('the question stands in the prompt as it was asked', () => {
  assert.ok(promptFor('researcher', 'what is $& ?').includes('Question: what is $& ?'));
});
