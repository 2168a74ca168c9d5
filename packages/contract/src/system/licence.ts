// The licence of an installation: a signed file that activates the server, with seats and a last day.
import { z } from 'zod'
import { administrator, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'
import { push } from '../push.ts'

/** What a licence file says. */
export const Licence = z
  .strictObject({
    licenceId: text(100).describe('The number of the licence, for questions to its issuer.'),
    customer: text(200).describe('Who may use it.'),
    /** `company`: for the people of the company (-46 after its end); `system`: for the server as a whole (-238). */
    scope: z.enum(['company', 'system']),
    installation: text(100).describe('The installation that it is for; empty: any.'),
    from: z.int().min(0).describe('Its first moment.'),
    until: z.int().min(0).describe('Its end; 0: none.'),
    graceDays: z.int().min(0).max(365).describe('For so many days after its end everything still works.'),
    seats: z.int().min(0).describe('How many accounts there may be; 0: any number.'),
    workspaces: z.int().min(0).describe('How many shared libraries there may be; 0: any number.'),
  })
  .meta({ id: 'Licence' })
export type Licence = z.output<typeof Licence>

const File = text(8000).describe('The text of the licence file: a JWS in compact form, signed with EdDSA.')

const licencePushes = {
  /** Sent to system administrators 30, 7 and 1 days before a licence ends, and when it has ended. */
  licenceEnding: push({
    summary: 'A licence ends soon, or has ended',
    type: 158,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ licenceId }) => `licence ${licenceId}`,
      merge: 'later',
      sentence: ({ licenceId, days }) =>
        days > 0
          ? {
              zh: '授权 {id} 还有 {n} 天到期',
              en: days === 1 ? 'Licence {id} ends in {n} day' : 'Licence {id} ends in {n} days',
              values: { id: licenceId, n: String(days) },
            }
          : {
              zh: '授权 {id} 已到期，请尽快续期',
              en: 'Licence {id} has ended; please renew it',
              values: { id: licenceId },
            },
      path: () => '/doc/admin/licence',
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      licenceId: z.string(),
      days: z.int().describe('Full days until its end; 0: it has ended.'),
    }),
  }),
}

export const licences = feature({
  about: { name: 'licence', text: 'Activation by a signed file, seats, and the end of a licence' },
  pushes: licencePushes,
  calls: {
    getActivation: call({
      summary: 'Tells whether the server is activated, and for which installation a licence is to be issued',
      kind: 'read',
      method: 'GET',
      path: '/services2/licence/getActivation',
      auth: 'none',
      payload: 'none',
      origin: 'ours',
      before: 'activation',
      open: 'the activation page is for whoever installs the server; the number of the installation is no secret',
      input: z.strictObject({}),
      data: z.strictObject({ activated: z.boolean(), installation: z.string() }),
    }),
    activate: call({
      summary: 'Activates a server that has no licence yet',
      title: { zh: '激活系统', en: 'Activation' },
      kind: 'staged',
      audit: 'administration',
      method: 'POST',
      path: '/services2/licence/activate',
      auth: 'none',
      payload: 'json',
      origin: 'ours',
      before: 'activation',
      open: 'only while the server is not activated, and only with a file that the issuer has signed for it; throttled',
      input: z.strictObject({ licence: File }),
      sample: () => ({ licence: 'x' }),
      data: Nothing,
      codes: ['licenceRefused', 'noPermission', 'sendingTooOften'],
    }),
    getLicence: call({
      summary: 'Tells the licences of the installation and what of them is used',
      kind: 'read',
      method: 'GET',
      path: '/services2/licence/getLicence',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: administrator,
      input: z.strictObject({}),
      data: z.strictObject({
        at: Time.describe('The time of the server.'),
        demanded: z.boolean().describe('Whether this server runs with a licence only.'),
        installation: z.string(),
        state: z.enum(['none', 'valid', 'grace', 'expired']),
        list: z.array(Licence),
        seats: z.strictObject({ used: z.int(), most: z.int().describe('0: no limit.') }),
        workspaces: z.strictObject({ used: z.int(), most: z.int().describe('0: no limit.') }),
        history: z.array(z.strictObject({ at: Time, by: z.string(), licenceIds: z.array(z.string()) })),
      }),
    }),
    installLicence: call({
      summary: 'Puts a licence in force; one of the same kind is replaced',
      notes: 'With `check` it only tells what the file says.',
      title: { zh: '导入授权', en: 'Licence installed' },
      kind: 'write',
      method: 'POST',
      path: '/services2/licence/installLicence',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      servesReading: true,
      guard: systemAdministrator,
      input: z.strictObject({
        licence: File,
        check: z.boolean().default(false).describe('Whether nothing is to be changed.'),
      }),
      sample: () => ({ licence: 'x' }),
      data: Licence,
      codes: ['licenceRefused'],
    }),
  },
  settings: {
    inner: {
      /** The licences in force, at most one of each scope. Their signatures were checked when they were installed. */
      licences: z.array(Licence).max(2).default([]),
    },
  },
})
