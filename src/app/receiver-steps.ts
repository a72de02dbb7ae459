/** What to set in whoever sends telemetry to Hone's own receiver (`hone up`), for the senders that people have. */

/** `url`: without a path; exporters add `/v1/traces` and the others themselves. */
export function exporterLines(url: string): string[] {
  return [
    '# Any OpenTelemetry SDK or collector',
    `OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    '',
    '# Claude Code',
    'CLAUDE_CODE_ENABLE_TELEMETRY=1',
    'OTEL_METRICS_EXPORTER=otlp',
    'OTEL_LOGS_EXPORTER=otlp',
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    '',
    '# Codex, in ~/.codex/config.toml',
    '[otel]',
    `exporter = { otlp-http = { endpoint = "${url}/v1/logs", protocol = "binary" } }`,
    '',
    '# Gemini CLI',
    'GEMINI_TELEMETRY_ENABLED=true',
    'GEMINI_TELEMETRY_TARGET=local',
    'GEMINI_TELEMETRY_OTLP_PROTOCOL=http',
    `GEMINI_TELEMETRY_OTLP_ENDPOINT=${url}`,
  ];
}

/** The address that a person gave, without path, query or password; undefined if it is none. */
export function receiverUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
