/** A line of an access log in the common or the combined form, with what people add behind it. */
import { durationIn } from '../../reading/durations.ts';
import { httpCall } from '../../reading/http-call.ts';
import { countOf } from '../../reading/values.ts';

export interface AccessLine {
  readonly tool: string;
  readonly success: boolean;
  readonly status: number;
  readonly outputBytes: number | undefined;
  readonly latencyMs: number | undefined;
}

/** `"GET /a HTTP/1.1" 200 512`, behind the time. */
export function accessLine(behindTime: string): AccessLine | undefined {
  const text = behindTime.slice(0, 8192);
  const found =
    /^\]? "([A-Z]{3,8}) ([^" ]{1,4096})(?: HTTP\/[\d.]{1,3})?" (\d{3}) (\d{1,15}|-)/.exec(text);
  if (found === null) return undefined;
  const call = httpCall(found[1], found[2], Number(found[3]));
  if (call === undefined) return undefined;
  const rest = text.slice(found[0].length);
  const seconds = /(?:^|[\s"])(?:rt|request_time|rtime|duration)=["']?(\d{1,7}\.\d{1,6})\b/.exec(
    rest,
  );
  return {
    ...call,
    outputBytes: countOf(found[4]),
    latencyMs: seconds === null ? undefined : durationIn(seconds[1], 's'),
  };
}
