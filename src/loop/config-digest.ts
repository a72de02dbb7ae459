/** Names every key and default of `hone.yaml`; written by `npm run generate`, and a test says when it is stale. */
export const CONFIG_DIGEST = '994ed76459f2';
