// Test events: an operator sends a sample of a push to their own clients, to see what these make of it.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { text } from '../fields.ts'

const administrators = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

export const testEvents = feature({
  about: { name: 'testEvents', text: 'Samples of pushes, to test clients with' },
  calls: {
    getTestPushes: call({
      summary: 'Lists the pushes of this server, each with a sample',
      ...administrators,
      kind: 'read',
      method: 'GET',
      path: '/services2/testEvents/getTestPushes',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            name: z.string(),
            type: z.int(),
            summary: z.string(),
            delivery: z.enum(['replayed', 'confirmed', 'ephemeral']),
            /** Clients that receive it end their session. */
            ends: z.boolean(),
            /** A payload, as JSON. */
            sample: z.string(),
          }),
        ),
      }),
    }),
    sendTestPush: call({
      summary: 'Sends a sample of a push to the clients of the caller, once',
      notes: 'Nothing is stored. Without a name all are sent, but those that end the session.',
      title: { zh: '发送测试事件', en: 'Sent a test event' },
      ...administrators,
      kind: 'staged',
      audit: 'technical',
      method: 'POST',
      path: '/services2/testEvents/sendTestPush',
      payload: 'json',
      input: z.strictObject({ name: text(100).default('').describe('The name of the push; empty: all.') }),
      sample: () => ({ name: 'settingsChanged' }),
      data: z.strictObject({
        /** How many kinds were sent. */
        count: z.int(),
        /** The connected clients of the caller that they were sent to. */
        clients: z.int(),
      }),
      codes: ['notFound'],
    }),
  },
})
