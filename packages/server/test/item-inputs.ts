/*
 * The inputs of calls that name items, derived from the gates and samples of the calls. So a new call takes part in the
 * tests of what a person cannot see without a line of its own.
 */
import type { Call, Fields, GateUse, SampleIds } from '@cloudoc/contract'
import { z } from 'zod'

/** The items of the caller that the rest of an input names. */
export interface OwnItems {
  readonly library: number
  readonly folderId: number
  readonly fileId: number
}

/** An input of a call in which one field names an item. */
export interface ItemInput {
  readonly kind: 'file' | 'folder'
  readonly field: string
  /** The input that names the item of that id. Undefined if the schema of the call does not accept the id. */
  readonly naming: (id: number, own: OwnItems) => Record<string, unknown> | undefined
}

/** Placeholders of ids: numbers that occur nowhere else. `tried` stands for the item that is tried. */
const own: OwnItems = { library: 810_000_001, folderId: 810_000_002, fileId: 810_000_003 }
const tried = 810_000_009

const word = 'a'.repeat(32)
const samples: SampleIds = {
  ...{ now: Date.now(), ...own, linkId: own.fileId, borrowed: own.folderId },
  uploadId: `${own.folderId}-${'a'.repeat(24)}`,
  ...{
    authorizationId: 1,
    notifyId: 1,
    changeId: 1,
    externalId: 1,
    userId: 1,
    successorId: 1,
    groupId: 1,
    libraryId: 1,
  },
  ...{
    roleId: 1,
    templateId: 1,
    ownTemplateId: 1,
    boxId: 1,
    mailId: 1,
    outgoingId: 1,
    processTemplateId: 1,
    processId: 1,
    linkToken: word,
    linkCode: word,
    pictureId: word,
  },
  ...{ conversationId: 1, messageNumber: 1, talkFileId: 1, talkUploadId: 'x'.repeat(24) },
  ...{ exchangeId: 1, receivedId: 1 },
  ...{ pdfId: own.fileId, activityId: 1, signatureId: 1, sealId: 1, certificateId: 1, signToken: word },
}

/** Replaces ids in a value, also inside texts such as `fi_123`. */
function replaced<T>(value: T, ids: readonly (readonly [from: number, to: number])[]): T {
  const text = ids.reduce((json, [from, to]) => json.replaceAll(String(from), String(to)), JSON.stringify(value))
  return JSON.parse(text) as T
}

const names = (value: unknown, ids: readonly number[]): boolean =>
  ids.some((id) => (JSON.stringify(value) ?? '').includes(String(id)))

/** The gates of a call for an input; none if the schema does not accept it. */
export function usesOf(call: Call, input: Fields): readonly GateUse[] {
  const parsed = call.input.safeParse(input)
  if (!parsed.success) return []
  if ('gate' in call) return call.gate(parsed.data)
  if (!('batch' in call)) return []
  return call.batch.items(parsed.data).flatMap((item) => call.batch.gate(item, parsed.data))
}

/** The sample of a call with one field after the other in which an item of the caller is replaced by the tried one. */
function samplesNaming(call: Call): { field: string; input: Fields }[] {
  const sample: Fields = call.sample?.(samples) ?? {}
  const mine = Object.values<number>({ ...own })
  return Object.keys(sample)
    .filter((field) => names(sample[field], mine))
    .map((field) => {
      const value = replaced(
        sample[field],
        mine.map((id) => [id, tried]),
      )
      return { field, input: { ...sample, [field]: value } }
    })
}

/** Inputs in which one field names the tried item: of the sample, and of every other field that the schema has. */
function candidates(call: Call): { field: string; input: Fields }[] {
  const sample: Fields = call.sample?.(samples) ?? {}
  const found = samplesNaming(call)
  const without = (fields: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(sample).filter(([field]) => !fields.includes(field)))
  const naming = found.map(({ field }) => field)
  // First without the items that the sample names: a call may take either a file or a folder.
  const bases = [without(naming), ...naming.map((field) => without([field])), sample]
  const fields = Object.keys((z.toJSONSchema(call.input, { io: 'input' }) as { properties?: object }).properties ?? {})
  const values: unknown[] = [tried, [tried], String(tried)]
  const others = fields.flatMap((field) =>
    bases.flatMap((base) => values.map((value) => ({ field, input: { ...base, [field]: value } }))),
  )
  return [...found, ...others]
}

/** The inputs by which a call names an item: one for each field and kind of item that its gates read. */
export function itemInputs(call: Call): readonly ItemInput[] {
  const found = new Map<string, ItemInput>()
  for (const { field, input } of candidates(call)) {
    for (const use of usesOf(call, input)) {
      if (!('item' in use) || use.item.fId !== tried) continue
      // A link is tried with the id of a file.
      const kind = use.item.fType === 2 ? 'folder' : 'file'
      if (!found.has(`${field} ${kind}`)) found.set(`${field} ${kind}`, { kind, field, naming: named(call, input) })
    }
  }
  return [...found.values()]
}

/**
 * The inputs by which a call without a gate names an item: in its sample, and in fields that name items in other calls.
 */
export function ungatedItemInputs(call: Call, others: readonly ItemInput[]): readonly ItemInput[] {
  const sample: Fields = call.sample?.(samples) ?? {}
  const kindsOf = (field: string): readonly ItemInput['kind'][] => {
    if (names(sample[field], [own.fileId])) return ['file']
    if (names(sample[field], [own.folderId, own.library])) return ['folder']
    return [...new Set(others.flatMap((other) => (other.field === field ? [other.kind] : [])))]
  }
  const found = new Map<string, readonly ItemInput[]>()
  for (const { field, input } of candidates(call)) {
    if (found.has(field) || !call.input.safeParse(input).success) continue
    found.set(
      field,
      kindsOf(field).map((kind) => ({ kind, field, naming: named(call, input) })),
    )
  }
  return [...found.values()].flat()
}

function named(call: Call, template: Fields): ItemInput['naming'] {
  return (id, { library, folderId, fileId }) => {
    const input = replaced({ ...template }, [
      [tried, id],
      [own.library, library],
      [own.folderId, folderId],
      [own.fileId, fileId],
    ])
    return call.input.safeParse(input).success ? input : undefined
  }
}
