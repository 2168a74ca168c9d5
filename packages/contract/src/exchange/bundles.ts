/*
 * Bundles: how approved exchanges reach a network without a wire. An administrator exports a signed and encrypted file,
 * carries it, and imports it on the other side, which answers with a signed receipt.
 */
import { z } from 'zod'
import { securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Id, Time, text } from '../fields.ts'

const ours = { auth: 'required', origin: 'ours', guard: securityAdministrator } as const
const staged = { ...ours, kind: 'staged', audit: 'administration', method: 'POST' } as const

/** Why a bundle or receipt is refused. */
export const bundleProblems = [
  ...(['notABundle', 'damaged', 'truncated', 'wrongReceiver', 'olderKey', 'unknownSender'] as const),
  ...(['wrongSignature', 'repeated', 'expired', 'otherReceipt', 'noReceiver', 'tooLarge'] as const),
] as const
export type BundleProblem = (typeof bundleProblems)[number]

const Waiting = z.strictObject({
  applyId: z.int(),
  number: z.string(),
  itemName: z.string(),
  name: z.string().describe('The sender.'),
  receivers: z.array(z.string()),
  fileCount: z.int(),
  fileSize: z.int(),
  secretLevel: z.int(),
  secretName: z.string(),
  handledBy: z.string(),
  handleTime: Time.nullable(),
})
export type WaitingExchange = z.output<typeof Waiting>

const Sent = z.strictObject({
  bundleId: z.int(),
  bundleName: z.string(),
  targetServerCode: z.string(),
  targetName: z.string(),
  createdBy: z.string(),
  createTime: Time,
  exchanges: z.array(z.strictObject({ applyId: z.int(), number: z.string(), itemName: z.string() })),
  fileCount: z.int(),
  fileSize: z.int(),
  /** What the other side has signed; null until the receipt is imported. */
  receipt: z.strictObject({ time: Time, importedBy: z.string(), fileCount: z.int() }).nullable(),
})
export type SentBundle = z.output<typeof Sent>

const Imported = z.strictObject({
  importId: z.int(),
  bundleName: z.string(),
  fromName: z.string(),
  importedBy: z.string(),
  importTime: Time,
  fileCount: z.int(),
  fileSize: z.int(),
  exchanges: z.array(
    z.strictObject({ number: z.string(), itemName: z.string(), name: z.string(), receivers: z.array(z.string()) }),
  ),
})
export type ImportedBundle = z.output<typeof Imported>

const imported = z.strictObject({
  /** Null: it was imported. */
  problem: z.enum(bundleProblems).nullable(),
  /** What was found, for the person who holds the medium. */
  detail: z.string(),
  bundle: Imported.nullable(),
})

const bundleCalls = {
  getExchangeBundles: call({
    ...ours,
    kind: 'read',
    method: 'GET',
    summary: 'Lists approved exchanges that wait for a bundle, bundles that were sent, and imported ones',
    path: '/services2/exchange/getExchangeBundles',
    payload: 'query',
    input: z.strictObject({ targetServerCode: text(40).default('').describe('The network; empty: all.') }),
    data: z.strictObject({ waiting: z.array(Waiting), sent: z.array(Sent), imported: z.array(Imported) }),
  }),
  exportExchangeBundle: call({
    ...ours,
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    payload: 'json',
    summary: 'Puts approved exchanges into a bundle for a network without a wire',
    title: { zh: '导出交换包', en: 'Bundle exported' },
    notes: 'Numbers of bundles have no gaps. The file is answered by getExchangeBundle, as often as needed.',
    audits: ['targetServerCode', 'applyIdArray'],
    path: '/services2/exchange/exportExchangeBundle',
    input: z.strictObject({
      targetServerCode: text(40).describe('The network.'),
      applyIdArray: z.array(Id).min(1).max(200).describe('The exchanges.'),
    }),
    sample: () => ({ targetServerCode: 'unknown', applyIdArray: [1] }),
    data: z.strictObject({ bundleId: z.int(), bundleName: z.string() }),
    codes: ['notFound', 'alreadyHandled', 'sensitiveFile', 'virusFile', 'badRequest'],
  }),
  getExchangeBundle: call({
    ...ours,
    kind: 'stream',
    method: 'GET',
    answers: 'application/octet-stream',
    summary: 'Answers a bundle: encrypted for its network (age), signed by this server',
    title: { zh: '下载交换包', en: 'Bundle downloaded' },
    path: '/services2/exchange/getExchangeBundle/{bundleId}',
    payload: 'query',
    input: z.strictObject({ bundleId: Id.describe('The bundle.') }),
    sample: () => ({ bundleId: 987_654_321 }),
    data: z.never(),
    codes: ['notFound'],
  }),
  importExchangeBundle: call({
    ...staged,
    summary: 'Imports a bundle of another network: verifies it as a whole before anything is kept',
    title: { zh: '导入交换包', en: 'Bundle imported' },
    notes: 'The body is the bundle. What is wrong with it is answered as `problem`; then nothing was kept.',
    path: '/services2/exchange/importExchangeBundle',
    payload: 'raw',
    timeoutMs: 3_600_000,
    input: z.strictObject({}),
    data: imported,
    codes: ['badRequest'],
  }),
  getExchangeReceipt: call({
    ...ours,
    kind: 'read',
    method: 'GET',
    summary: 'Answers the signed receipt of an imported bundle',
    path: '/services2/exchange/getExchangeReceipt/{importId}',
    payload: 'none',
    input: z.strictObject({ importId: Id.describe('The imported bundle.') }),
    sample: () => ({ importId: 987_654_321 }),
    data: z.strictObject({ fileName: z.string(), receipt: z.string() }),
    codes: ['notFound'],
  }),
  importExchangeReceipt: call({
    ...ours,
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    payload: 'json',
    summary: 'Imports the receipt of a bundle, which closes its exchanges here',
    title: { zh: '录入交换包回执', en: 'Receipt of a bundle imported' },
    path: '/services2/exchange/importExchangeReceipt',
    input: z.strictObject({ receipt: text(100_000).describe('The text of the receipt.') }),
    sample: () => ({ receipt: 'x' }),
    data: z.strictObject({ problem: z.enum(bundleProblems).nullable(), bundleName: z.string() }),
  }),
} as const

export const exchangeBundles = feature({
  about: { name: 'exchange bundles', text: 'Carrying approved files to a network without a wire' },
  switchedBy: 'exchange',
  calls: bundleCalls,
})
