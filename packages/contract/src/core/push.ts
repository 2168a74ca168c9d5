// Telling the server that personal pushes arrived ([R309]), and where the channel stands.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count } from '../fields.ts'

const pushCalls = {
  /** Confirms the caller's own pushes: an identity of somebody else matches nothing. */
  confirmMsg: call({
    summary: 'Confirms pushes that arrived',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/push/confirmMsg/{clientType}',
    auth: 'required',
    payload: 'json',
    bodyField: 'list',
    origin: 'spec',
    quiet: true,
    guard: ownAccount,
    input: z.strictObject({
      clientType: ClientType,
      list: z.array(z.strictObject({ pushType: Count, identity: z.string().regex(/^\d{1,18}$/) })).max(100),
    }),
    data: z.strictObject({ confirmed: z.int() }),
  }),
  /** A client that asks this before it reads what it shows, and logs in to the channel with it, misses nothing between. */
  getPushPosition: call({
    summary: 'Tells where the pushes of the live channel stand',
    kind: 'read',
    method: 'GET',
    path: '/services2/push/getPushPosition',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    quiet: true,
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({
      epoch: z.string().describe('Of this installation and its database; positions of another epoch mean nothing.'),
      lastIdentity: z
        .string()
        .describe('The newest identity: what a login to the channel names as the last it has seen.'),
    }),
  }),
}

export const push = feature({
  about: { name: 'push', text: 'Beside the live channel, which /services2/asyncapi.json describes' },
  calls: pushCalls,
  settings: {
    setting: {
      /** The new JSON push channel is used ([R342]). */
      use_websocket: z.boolean().default(true),
    },
    beside: {
      /** The old binary channel is served as well ([R307], X32). */
      old_push: z.boolean().default(false),
    },
    administered: {
      use_websocket: { power: 'system', group: 'network', as: 'switch' },
      old_push: { power: 'system', group: 'network', as: 'switch' },
    },
  },
})
