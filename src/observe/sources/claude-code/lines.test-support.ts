/** Lines as Claude Code writes them, of 1.0 and of 2.1: invented content in the real forms. */

export const SESSION = '11111111-2222-4333-8444-555555555555';
export const START_MS = Date.UTC(2026, 0, 1, 9);

type Fields = Readonly<Record<string, unknown>>;

/** Lines of one session, each a second after the one before and below it, unless told otherwise. */
export class Session {
  readonly #about: Fields;
  #made = 0;
  #last: string | null = null;

  constructor(about: Fields = {}) {
    this.#about = about;
  }

  get atMs(): number {
    return START_MS + this.#made * 1000;
  }

  line(type: string, fields: Fields = {}): Fields {
    const uuid = `uuid-${++this.#made}`;
    const parentUuid = this.#last;
    this.#last = uuid;
    return {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/shop',
      sessionId: SESSION,
      version: '2.1.230',
      gitBranch: 'main',
      type,
      uuid,
      timestamp: new Date(this.atMs).toISOString(),
      ...this.#about,
      ...fields,
    };
  }

  says(text: unknown, fields: Fields = {}): Fields {
    return this.line('user', { message: { role: 'user', content: text }, ...fields });
  }

  answers(block: Fields, message: Fields = {}, fields: Fields = {}): Fields {
    const usage = { input_tokens: 3, cache_read_input_tokens: 900, output_tokens: 40 };
    return this.line('assistant', {
      requestId: 'req_1',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-4-6',
        content: [block],
        stop_reason: null,
        usage,
        ...message,
      },
      ...fields,
    });
  }

  calls(
    id: string,
    name: string,
    input: Fields,
    message: Fields = {},
    fields: Fields = {},
  ): Fields {
    return this.answers({ type: 'tool_use', id, name, input }, message, fields);
  }

  gets(id: string, content: unknown, fields: Fields = {}, block: Fields = {}): Fields {
    const result = { type: 'tool_result', tool_use_id: id, content, ...block };
    return this.line('user', {
      message: { role: 'user', content: [result] },
      toolUseResult: content,
      ...fields,
    });
  }

  fails(id: string, content: unknown, fields: Fields = {}): Fields {
    return this.gets(id, content, fields, { is_error: true });
  }
}
