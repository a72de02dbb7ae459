/**
 * A model for one run of a command (`validate.model`): a proxy outside the sandbox, whose socket is all that the run sees of
 * it. Where there is no key, nothing is run: a command that was meant to ask a model would say something else without it.
 */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRecord } from '../../model/index.ts';
import type { Store } from '../../store/index.ts';
import type { ValidateSettings } from '../types.ts';
import { BRIDGE, BRIDGE_SOCKET, URL_INSIDE } from './bridge.ts';
import { NODE_INSIDE } from './inside.ts';
import { NotRunnable } from './types.ts';

export interface ModelPorts {
  readonly settings: Pick<ValidateSettings, 'model'>;
  /** The value of an environment variable of Hone's. */
  secret(name: string): string | undefined;
  /** Keeps what validations have spent. */
  readonly store: Pick<Store, 'all' | 'commit'>;
}

export interface ModelDoor extends AsyncDisposable {
  /** What a run needs to come through it. */
  readonly run: {
    readonly argvBefore: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    readonly binds: readonly { readonly from: string; readonly to: string }[];
  };
  /** Throws `NotRunnable` where the run was kept from asking: what it says then is not what it would have said. */
  finished(): ModelRecord;
}

/** Undefined where no model is configured. */
export async function openModelDoor(
  { folder, account }: { readonly folder: string; readonly account: string },
  { settings: { model }, secret, store }: ModelPorts,
): Promise<ModelDoor | undefined> {
  if (model.provider === 'none') return undefined;
  // Not before: Node's HTTP takes 60 ms to load, in every process that may validate.
  const { openModelProxy, providerOf, Purse } = await import('../../model/index.ts');
  const provider = providerOf(model.provider)!;
  if (model.models.length === 0)
    throw new NotRunnable('No model may be asked: name those that may in validate.model.models.');
  const socket = join(folder, 'model');
  const proxy = await openModelProxy({
    ...{ socket, provider: model.provider, url: model.url, models: model.models },
    key: keyOf(model.key, secret),
    purse: new Purse(store, account, model.spend),
    ...{ inputPrice: model.inputPrice, outputPrice: model.outputPrice },
  });
  // The folder around it keeps everybody else out.
  await chmod(socket, 0o666);
  return {
    run: {
      argvBefore: [NODE_INSIDE, '-e', BRIDGE],
      environment: provider.environment(URL_INSIDE),
      binds: [{ from: socket, to: BRIDGE_SOCKET }],
    },
    finished() {
      const record = proxy.record();
      if (record.isOverSpent)
        throw new NotRunnable(
          `The validation asked for more than validate.model.spend allows: ${record.asked} requests of this run for $${record.spentUsd.toFixed(4)} were answered, and the next could have cost more than is left of $${model.spend}.`,
        );
      return record;
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

function keyOf(reference: string, secret: ModelPorts['secret']): string {
  const variable = reference.slice('env:'.length);
  const key = secret(variable)?.trim() ?? '';
  if (/^[\x21-\x7e]{8,1000}$/.test(key)) return key;
  throw new NotRunnable(
    `The environment variable ${variable} holds no key for the model: start Hone with it, or set validate.model.key.`,
  );
}
