// Virus scanning of contents (-98).
import { itemAddress, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Nothing, pageOf, Time, text } from '../fields.ts'

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
    input: z.strictObject(pageOf(60, 500)),
    data: z.strictObject({
      /** Whether a scanner is configured, by the setting or by CLAMD_URL. */
      scans: z.boolean(),
      /** Contents that wait to be scanned. */
      waiting: z.int(),
      /** Whether contents stay closed to others until they are inspected. */
      closes: z.boolean(),
      /** Why the scanner could not inspect contents lately; empty: it answers. */
      problem: z.string(),
      list: z.array(z.strictObject({ ...found, time: Time })),
      total: z.int(),
    }),
  }),
  getUninspectedFiles: call({
    summary: 'Lists the files that only their uploaders use until they are inspected',
    kind: 'read',
    method: 'GET',
    path: '/services2/scanning/getUninspectedFiles',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject(pageOf(60, 500)),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fName: z.string(),
          version: z.int(),
          size: z.int(),
          uploaderName: z.string(),
          time: Time,
          /** Why it could not be inspected; empty: it waits. */
          problem: z.string(),
        }),
      ),
      total: z.int(),
    }),
  }),
  releaseUninspected: call({
    summary: 'Lets a file be used without an inspection, such as one that is too large for the scanner',
    title: { zh: '未经检查放行', en: 'Released a file uninspected' },
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/scanning/releaseUninspected',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    audits: ['fileId'],
    input: z.strictObject({ fileId: Id }),
    sample: ({ fileId }) => ({ fileId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  inspectAgain: call({
    summary: 'Has the waiting contents inspected again now',
    title: { zh: '重新检查病毒', en: 'Repeated the virus inspection' },
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/scanning/inspectAgain',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({ count: z.int() }),
  }),
  testScanner: call({
    summary: 'Sends a harmless test file to the virus scanner, which it has to find',
    title: { zh: '测试病毒扫描', en: 'Test of the virus scanner' },
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/scanning/testScanner',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** What the scanner calls the test file; empty: it did not find it. */
      virusName: z.string(),
      /** Why it could not be asked; empty: it answered. */
      problem: z.string(),
    }),
  }),
}

const scanningPushes = {
  /** Sent to the uploader and to system administrators; of a file of a conversation, to who sent it. */
  virusFound: push({
    summary: 'Something harmful was found in a file',
    type: 103,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ fId, version, conversationId, fName }) =>
        conversationId === undefined ? `virus ${fId} ${version}` : `virus chat ${conversationId} ${fName}`,
      merge: 'later',
      sentence: ({ fName, virusName }) => ({
        zh: '“{name}”中发现病毒（{virus}），已隔离',
        en: 'A virus was found in “{name}” ({virus}); it is locked away',
        values: { name: nameInText(fName), virus: virusName },
      }),
      path: ({ serverId, fId, conversationId }) =>
        conversationId === undefined ? itemAddress({ serverId, fType: 1, fId }) : `/im/index?chat=${conversationId}`,
    },
    payload: z.strictObject({
      ...{ serverId: z.int(), remindId: z.int(), ...found },
      /** The conversation of a file that is not in the drive; `fId` is 0 then. */
      conversationId: z.int().optional(),
    }),
  }),
}

export const scanning = feature({
  about: { name: 'scanning', text: 'What a scanner finds in contents' },
  calls: scanningCalls,
  pushes: scanningPushes,
  settings: {
    inner: {
      scanner_address: z.string().max(300).default(''),
      /** Contents that the scanner has not inspected are used by their uploader alone. */
      scanner_required: z.boolean().default(false),
    },
    administered: {
      scanner_required: {
        label: { zh: '检查通过后才开放', en: 'Closed until inspected' },
        note: {
          zh: '开启后，新内容在扫描器检查之前只有上传者能用；连不上扫描器时也一样，恢复后自动检查。关闭时，扫描器没有检查过的内容照常可用。',
          en: 'When on, only the uploader can use new contents until the scanner has inspected them, also while it does not answer; they are inspected once it is back. When off, contents are open before they are inspected.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      scanner_address: {
        label: { zh: '病毒扫描器（ClamAV）', en: 'Virus scanner (ClamAV)' },
        note: {
          zh: '员工上传的内容由它检查；不填就用启动服务器时的设置，都没有就不检查。',
          en: 'Checks everything that people upload. Empty: the one set when the server was started; without either, nothing is checked.',
        },
        power: 'system',
        group: 'files',
        as: 'text',
        example: 'tcp://clamav.example.com:3310',
        entered: text(300).regex(/^$|^tcp:\/\/[^\s/@?#]+\/?$|^unix:\/[^\s]+$/),
      },
    },
  },
})
