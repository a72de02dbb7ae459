/** Lines as Codex writes them: invented content in the real forms. */

export const THREAD = '019f5c5a-eb02-7ff0-90af-653b66eba9f4';
/** When an id of version 7 says that it was made. */
export const START_MS = 0x019f5c5aeb02;

type Fields = Readonly<Record<string, unknown>>;

/** With an envelope, as since September 2025; each line a second after the one before. */
export class Rollout {
  #made = 0;

  line(type: string, payload: Fields, atMs = START_MS + ++this.#made * 1000): Fields {
    return { timestamp: new Date(atMs).toISOString(), type, payload };
  }

  meta(fields: Fields = {}): Fields {
    return this.line('session_meta', {
      id: THREAD,
      timestamp: new Date(START_MS).toISOString(),
      cwd: '/home/dev/shop',
      originator: 'codex_cli_rs',
      cli_version: '0.144.3',
      source: 'cli',
      model_provider: 'openai',
      ...fields,
    });
  }

  context(fields: Fields = {}): Fields {
    return this.line('turn_context', { cwd: '/home/dev/shop', model: 'gpt-5.6-sol', ...fields });
  }

  event(type: string, fields: Fields = {}): Fields {
    return this.line('event_msg', { type, ...fields });
  }

  item(type: string, fields: Fields = {}): Fields {
    return this.line('response_item', { type, ...fields });
  }

  calls(call_id: string, name: string, input: Fields, fields: Fields = {}): Fields {
    return this.item('function_call', {
      name,
      arguments: JSON.stringify(input),
      call_id,
      ...fields,
    });
  }

  gets(call_id: string, output: unknown): Fields {
    return this.item('function_call_output', { call_id, output });
  }

  patches(call_id: string, input: string): Fields {
    return this.item('custom_tool_call', {
      name: 'apply_patch',
      input,
      call_id,
      status: 'completed',
    });
  }

  says(message: string): Fields {
    return this.event('user_message', { message, images: [] });
  }

  tokens(total: number, last: Fields): Fields {
    const info = { total_token_usage: { total_tokens: total }, last_token_usage: last };
    return this.event('token_count', { info, rate_limits: null });
  }
}

/** Without one, as before. */
export const BARE_HEAD = {
  id: 'c3c4b301-27c8-4c70-b6e4-46b99fdf0236',
  timestamp: '2025-08-18T01:16:13.522Z',
  instructions: null,
  git: { commit_hash: 'abc', branch: 'main' },
};
export const bareMessage = (role: string, text: string) => ({
  type: 'message',
  id: null,
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
});
export const bareContext = (cwd: string) =>
  bareMessage('user', `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`);
