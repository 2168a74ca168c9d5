// External links for tests: helpers that make them, and visitors without an account.

import { type CallName, callsByName, placeInput } from '@cloudoc/contract'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterEach } from 'vitest'
import { type Person, sharedWorld, type Wire, type World, wireOf } from './harness.ts'

export const hour = 3_600_000

/** A test clock: it runs with real time unless held, and can be advanced. */
export class Clock {
  #offset = 0
  #still: number | undefined

  readonly now = (): number => (this.#still ?? Date.now()) + this.#offset
  /** Stops the clock: from now on time passes only when the test advances it. */
  hold(): void {
    this.#still ??= Date.now()
  }
  forward(ms: number): void {
    this.#offset += ms
  }
  reset(): void {
    this.#offset = 0
    this.#still = undefined
  }
}

/** A server with external links, called at top level of a test file. The clock is reset before each test. */
export function linkWorld() {
  const clock = new Clock()
  const world = sharedWorld({ now: clock.now })
  afterEach(() => clock.reset())

  const open = (
    token: string,
    input: object = {},
    more: Partial<InjectOptions> = {},
    at: World = world,
  ): Promise<LightMyRequestResponse> =>
    at.app.http.inject({
      method: 'POST',
      url: `/services2/visit/${token}/open`,
      headers: { 'content-type': 'application/json', ...more.headers },
      payload: JSON.stringify(input),
      ...(more.remoteAddress === undefined ? {} : { remoteAddress: more.remoteAddress }),
    })
  /** Opens a link as a visitor; returns the pass. */
  const enter = async (token: string, input: object = {}): Promise<string> => {
    const wire = wireOf(await open(token, input))
    if (wire.code !== 'success') throw new Error(`the link was not opened: ${wire.code} ${wire.msg}`)
    return (wire.data as { pass: string }).pass
  }
  const ask = (name: CallName, input: Record<string, unknown>, pass?: string, content?: string, at: World = world) => {
    const { method, path, body } = placeInput(callsByName[name], input)
    const type = body?.type ?? (content === undefined ? undefined : 'application/octet-stream')
    const payload = body?.text ?? content
    return at.app.http.inject({
      method,
      url: path,
      headers: {
        ...(pass === undefined ? {} : { 'x-link-pass': pass }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(payload === undefined ? {} : { payload }),
    })
  }
  const wire = async (name: CallName, input: Record<string, unknown>, pass?: string, content?: string): Promise<Wire> =>
    wireOf(await ask(name, input, pass, content))
  const stateOf = async (linkToken: string): Promise<string> =>
    ((await wire('getVisitedLink', { linkToken })).data as { state: string }).state

  /** Anna has a folder with a file and a subfolder with a file, and another file beside the folder. */
  const scene = async () => {
    const anna = await world.person('anna')
    const folderId = await anna.folder(anna.library, '资料')
    const inner = await anna.folder(folderId, '里面')
    const fileId = await anna.upload(folderId, '说明.txt', 'content of the file')
    const deep = await anna.upload(inner, '深.txt', 'deep')
    const beside = await anna.upload(anna.library, '旁边.txt')
    return { anna, folderId, inner, fileId, deep, beside }
  }
  const make = (anna: Person, item: { fileId: number } | { folderId: number }, more: object = {}) =>
    anna.call('externalCreate', { ...item, rights: 4 | 8, endTime: clock.now() + hour, ...more })

  return { world, clock, now: clock.now, open, enter, ask, wire, stateOf, scene, make }
}
