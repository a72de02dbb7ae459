/** Cleans what people and other programs say before it is kept or shown. Loaded only if there is something to clean. */

export interface CleanWords {
  readonly text: string;
  /** How many secrets and addresses were masked, so that whoever wrote them is told. */
  readonly masked: number;
}

/** A reason, as it would be recorded. Rooms clean it again; here it also keeps a secret out of an answer. */
export async function cleanReason(reason: string): Promise<CleanWords> {
  const { recordText } = await import('../sanitise/index.ts');
  return recordText(reason);
}

/** An error may quote what another program or a file said. */
export async function errorCleaner(): Promise<(text: string) => string> {
  const { mask } = await import('../sanitise/index.ts');
  return (text) => mask(text, { except: ['email'] }).text;
}
