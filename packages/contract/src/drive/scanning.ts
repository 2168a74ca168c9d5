// Virus scanning of contents (-98).
import { itemAddress, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, rows, Time } from '../fields.ts'

import { push } from '../push.ts'

const found = {
  fId: z.int(),
  fType: z.literal(1),
  fName: z.string(),
  version: z.int(),
  uploaderName: z.string(),
  /** Name of the virus as reported by the scanner. */
  virusName: z.string(),
}

const scanningCalls = {
  getVirusList: call({
    summary: 'Lists the files that something harmful was found in',
    kind: 'read',
    method: 'GET',
    path: '/services2/scanning/getVirusList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ from: Count.default(0), rows: rows(60, 500) }),
    data: z.strictObject({
      /** Whether a scanner is configured (CLAMD_URL). */
      scans: z.boolean(),
      list: z.array(z.strictObject({ ...found, time: Time })),
      total: z.int(),
    }),
  }),
}

const scanningPushes = {
  /** Sent to the uploader and to system administrators. */
  virusFound: push({
    summary: 'Something harmful was found in a file',
    type: 103,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ fId, version }) => `virus ${fId} ${version}`,
      merge: 'later',
      sentence: ({ fName, virusName }) => ({
        zh: '“{name}”中发现病毒（{virus}），已隔离',
        en: 'A virus was found in “{name}” ({virus}); it is locked away',
        values: { name: nameInText(fName), virus: virusName },
      }),
      path: ({ serverId, fId }) => itemAddress({ serverId, fType: 1, fId }),
    },
    payload: z.strictObject({ serverId: z.int(), remindId: z.int(), ...found }),
  }),
}

export const scanning = feature({
  about: { name: 'scanning', text: 'What a scanner finds in contents' },
  calls: scanningCalls,
  pushes: scanningPushes,
})
