/**
 * Short dialogues, each with whether the last message corrects the agent. All were written before the weights
 * of `corrections.ts` were chosen; only `OPEN` was looked at while choosing them. `KEPT` says what they are worth.
 */

export interface Dialogue {
  /** What was asked before. */
  readonly asked: string;
  /** What the agent did since: nothing, wrote an answer, ran something, edited files. */
  readonly did: 'nothing' | 'answered' | 'ran' | 'edited';
  readonly said: string;
  readonly isCorrection: boolean;
}

type Row = readonly [asked: string, did: Dialogue['did'], said: string, isCorrection: 0 | 1];

const open: readonly Row[] = [
  [
    'Add a dark mode toggle to the settings page',
    'edited',
    'no, the toggle belongs in the header, not in settings',
    1,
  ],
  ['Add a dark mode toggle to the settings page', 'edited', 'Great. Now write a test for it.', 0],
  ['Fix the failing login test', 'edited', 'it still fails with the same error', 1],
  ['Fix the failing login test', 'edited', 'thanks! commit it please', 0],
  [
    'Rename getUser to fetchUser everywhere',
    'edited',
    'Rename getUser to fetchUser everywhere, also in the docs',
    1,
  ],
  [
    'Rename getUser to fetchUser everywhere',
    'edited',
    'Now rename getAccount to fetchAccount as well',
    0,
  ],
  [
    'Explain how the scheduler picks jobs',
    'answered',
    'No problem, that helps. Where is it tested?',
    0,
  ],
  [
    'Explain how the scheduler picks jobs',
    'answered',
    "that's wrong, it never looks at the priority column",
    1,
  ],
  [
    'Warum schlägt der Build fehl?',
    'ran',
    'Nein, ich meinte den Build auf dem Server, nicht lokal',
    1,
  ],
  ['Warum schlägt der Build fehl?', 'ran', 'Gut, dann behebe es bitte', 0],
  ['Ajoute une colonne email à la table', 'edited', 'Non, pas cette table, celle des clients', 1],
  ['Ajoute une colonne email à la table', 'edited', 'Parfait, lance les tests maintenant', 0],
  ['create a Dockerfile for the api', 'edited', 'stop the dev server and build the image', 0],
  ['create a Dockerfile for the api', 'edited', 'undo that, I want to keep the old Dockerfile', 1],
  [
    'update dependencies to the latest versions',
    'ran',
    'why did you touch the lockfile?? I said only package.json',
    1,
  ],
  [
    'update dependencies to the latest versions',
    'ran',
    'what changed in zod between those two versions?',
    0,
  ],
  ['把按钮改成蓝色', 'edited', '不对，我说的是提交按钮', 1],
  ['把按钮改成蓝色', 'edited', '好的，再加一个悬停效果', 0],
  [
    'Write a function that parses ISO dates',
    'edited',
    'actually use the standard library instead of a regex',
    1,
  ],
  ['Write a function that parses ISO dates', 'edited', 'Yes', 0],
  [
    'implement retry with backoff in the client',
    'edited',
    'implement retry with backoff in the client',
    1,
  ],
  ['implement retry with backoff in the client', 'edited', 'continue', 0],
  [
    'make the tests faster',
    'edited',
    "TypeError: Cannot read properties of undefined (reading 'map')\n    at render (src/app.ts:12:5)\n    at main (src/index.ts:3:1)\nstill broken",
    1,
  ],
  ['make the tests faster', 'edited', 'how long do they take now?', 0],
  ['Add logging to the payment service', 'edited', "don't log card numbers! remove that", 1],
  ['Add logging to the payment service', 'edited', 'add the same logging to the refund service', 0],
  ['Summarise this file', 'answered', 'shorter please, one paragraph', 1],
  ['Summarise this file', 'answered', 'Save it to docs/summary.md', 0],
  [
    'find where the config is loaded',
    'answered',
    "that's not what I asked. I want the place where it's written",
    1,
  ],
  ['find where the config is loaded', 'answered', 'ok and where is it validated?', 0],
  ['deploy to staging', 'nothing', 'no wait, deploy to the preview environment', 0],
  ['Arregla el error de autenticación', 'edited', 'No funciona, sigue dando el mismo error', 1],
  ['set the timeout to 30 seconds', 'edited', '30 seconds, not 30 minutes', 1],
  ['set the timeout to 30 seconds', 'edited', 'does that also apply to uploads?', 0],
];

const kept: readonly Row[] = [
  ['Move the helpers into a shared module', 'edited', 'nope, leave them where they were', 1],
  ['Move the helpers into a shared module', 'edited', 'looks good, push it', 0],
  [
    'Translate the readme to German',
    'edited',
    'No need to translate the changelog, but do the contributing guide next',
    0,
  ],
  [
    'Translate the readme to German',
    'edited',
    'you translated the code blocks too, those must stay English',
    1,
  ],
  ['Fix the memory leak in the worker', 'edited', 'memory still grows after your change', 1],
  ['Fix the memory leak in the worker', 'edited', 'Nice work. What was the cause?', 0],
  [
    'write a migration that adds an index on created_at',
    'edited',
    'Write a migration that adds an index on created_at, not on updated_at!',
    1,
  ],
  [
    'write a migration that adds an index on created_at',
    'edited',
    'now run the migration on the test database',
    0,
  ],
  ['Explain this regex', 'answered', 'can you explain the second group in more detail?', 0],
  ['Explain this regex', 'answered', 'That is incorrect: the group is lazy, not greedy', 1],
  [
    'Refaktoriere die Klasse OrderService',
    'edited',
    'Falsch, die öffentlichen Methoden dürfen sich nicht ändern',
    1,
  ],
  ['Refaktoriere die Klasse OrderService', 'edited', 'Super, bitte noch Tests dazu', 0],
  ['Corrige le lien cassé dans la page d’accueil', 'edited', 'Toujours cassé', 1],
  ['Corrige le lien cassé dans la page d’accueil', 'edited', 'Merci ! Et le pied de page ?', 0],
  ['start the server', 'ran', 'stop', 1],
  ['start the server', 'ran', 'open the page and take a screenshot', 0],
  ['ボタンの色を赤にして', 'edited', '違います、枠線だけ赤にしてください', 1],
  ['ボタンの色を赤にして', 'edited', 'ありがとう。次はフォントを大きくして', 0],
  ['use async/await in the uploader', 'edited', 'revert the change in uploader.test.ts', 1],
  ['use async/await in the uploader', 'edited', 'do the downloader in the same way', 0],
  ['run the linter', 'ran', 'run the linter', 1],
  ['run the linter', 'ran', 'fix the warnings it found', 0],
  [
    'add pagination to the list endpoint',
    'edited',
    "Traceback (most recent call last):\n  File \"app.py\", line 40, in list_items\n    page = int(args['page'])\nKeyError: 'page'",
    1,
  ],
  ['add pagination to the list endpoint', 'edited', 'what page size do you suggest?', 0],
  [
    'Delete the unused feature flags',
    'edited',
    'WHY did you delete NEW_CHECKOUT?! It is in use',
    1,
  ],
  ['Delete the unused feature flags', 'edited', 'List them in the pull request description', 0],
  ['Draft an email to the customer', 'answered', 'less formal, and drop the last paragraph', 1],
  ['Draft an email to the customer', 'answered', 'Send it to the team channel too', 0],
  ['check why CI is red', 'ran', 'I meant the nightly pipeline', 1],
  ['check why CI is red', 'ran', 'and is it red on main as well?', 0],
  ['bump the version', 'nothing', 'not yet, wait for the release notes', 0],
  [
    'Agrega validación al formulario',
    'edited',
    'Eso no es lo que pedí, solo el campo de teléfono',
    1,
  ],
  ['limit results to 50', 'edited', 'should be 50 per page, not 50 in total', 1],
  ['limit results to 50', 'edited', 'and sort them by name', 0],
];

function dialogue([asked, did, said, isCorrection]: Row): Dialogue {
  return { asked, did, said, isCorrection: isCorrection === 1 };
}

export const OPEN: readonly Dialogue[] = open.map(dialogue);
export const KEPT: readonly Dialogue[] = kept.map(dialogue);
