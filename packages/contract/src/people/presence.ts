// Presence of the users in the caller's departments ([R331], [R352]).
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { push } from '../push.ts'

/** A colleague and their presence ([R341]). */
const Present = {
  userId: z.int(),
  serverId: z.int(),
  userName: z.string(),
  groupName: z.string(),
  /** 2 if the company hides it. */
  gender: z.int(),
  /** Always 0: only administrators see levels. */
  level: z.int(),
  /** 0 a permanent account, 1 one with an end, 2 that of a program. */
  accountType: z.int(),
  /** The client type of the session that was used last: 6 is the web client, 8 the mobile pages. */
  client: z.int(),
  job: z.string(),
  status: z.enum(['ONLINE', 'OFFLINE']),
}

export const presence = feature({
  about: { name: 'presence', text: 'Who is there' },
  calls: {
    getOnlineUsers: call({
      summary: "Lists who of the caller's departments is there",
      kind: 'read',
      method: 'GET',
      path: '/im/api/user/getOnlineUsers',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: ownAccount,
      input: z.strictObject({}),
      data: z.strictObject({ list: z.array(z.strictObject(Present)) }),
    }),
  },
  pushes: {
    /** Sent to the departments of the user, with the state at the time of sending. */
    userOnline: push({
      summary: 'A colleague has come or gone',
      type: 45,
      delivery: 'replayed',
      payload: z.strictObject(Present),
    }),
  },
})
