/** Names every key and default of `hone.yaml`; written by `npm run generate`, and a test says when it is stale. */
<<<<<<< HEAD
export const CONFIG_DIGEST = '25dc5406af3c';
=======
export const CONFIG_DIGEST = '1ed6a424edc8';
>>>>>>> 88ba03a (deploy: shorten the comments of GitHub's keys)
