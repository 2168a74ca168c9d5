// Legal holds: what people made or folders contain is kept until the hold is lifted, whatever else would remove it.
import { z } from 'zod'
import { auditor } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, rows, Time, text } from '../fields.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from './rights-fields.ts'

const filled = (value: string): boolean => value.trim() !== ''
const HoldId = Id.describe('The hold.')
const scope = {
  userIdArray: z.array(Id).max(200).default([]).describe('People: what they made or changed, and their own library.'),
  itemIdArray: z.array(Id).max(200).default([]).describe('Files, folders and libraries, with everything in them.'),
}

const Sum = {
  items: z.int().describe('Files and folders.'),
  bytes: z.int().describe('The size of all versions.'),
  versions: z.int().describe('Versions, older ones included.'),
  inBin: z.int().describe('Of the items: those in a recycle bin.'),
}

const Hold = z
  .strictObject({
    holdId: z.int(),
    name: z.string(),
    number: z.string().describe('The number of the case; empty for none.'),
    reason: z.string(),
    told: z.boolean().describe('Whether people who see a held item are told.'),
    creatorName: z.string(),
    createTime: Time,
    liftTime: Time.describe('When it was lifted; 0 while it is in force.'),
    lifterName: z.string(),
    liftReason: z.string(),
    people: z.int().describe('The number of people whom it covers.'),
    places: z.int().describe('The number of files, folders and libraries that it names.'),
  })
  .meta({ id: 'LegalHold' })

const HeldItem = z
  .strictObject({
    fId: z.int(),
    fType: z.union([z.literal(1), z.literal(2)]),
    fName: z.string(),
    pathString: z.string(),
    version: z.int(),
    fileSize: z.int(),
    versions: z.int(),
    sha256: z.string().describe('Of the newest version of a file.'),
    isInBin: z.boolean(),
    creatorName: z.string(),
    modifyTime: Time,
  })
  .meta({ id: 'HeldItem' })

const audited = { auth: 'required', origin: 'ours', guard: auditor } as const
const reading = { ...audited, kind: 'read', method: 'GET', payload: 'query' } as const
const changing = { ...audited, kind: 'write', method: 'POST', payload: 'json' } as const

export const holds = feature({
  about: { name: 'legal holds', text: 'What is kept until a hold is lifted, whatever else would remove it' },
  calls: {
    getHolds: call({
      ...reading,
      summary: 'Lists the legal holds, those in force first',
      payload: 'none',
      path: '/services2/hold/getHolds',
      input: z.strictObject({}),
      sample: () => ({}),
      data: z.strictObject({ list: z.array(Hold) }),
    }),
    getHold: call({
      ...reading,
      summary: 'Tells what a legal hold covers',
      path: '/services2/hold/getHold',
      input: z.strictObject({ holdId: HoldId }),
      sample: () => ({ holdId: 987_654_321 }),
      data: z.strictObject({
        ...Sum,
        scope: z.array(
          z.strictObject({
            userId: z.int().describe('0 for an item.'),
            itemId: z.int().describe('0 for a person.'),
            name: z.string().describe('What it was called when it was added.'),
            pathString: z.string().describe('Where an item is now; empty when it is gone.'),
            origin: z
              .enum(['named', 'library', 'moved'])
              .describe('`library`: the own library of a person; `moved`: moved out of what is held.'),
          }),
        ),
      }),
      codes: ['notFound'],
    }),
    getHoldItems: call({
      ...reading,
      summary: 'Lists what a legal hold covers, for a file to be handed over',
      path: '/services2/hold/getHoldItems',
      input: z.strictObject({
        holdId: HoldId,
        after: Count.default(0).describe('The last item of the page before.'),
        rows: rows(500, 1000),
      }),
      sample: () => ({ holdId: 987_654_321 }),
      data: z.strictObject({ list: z.array(HeldItem) }),
      codes: ['notFound'],
    }),
    previewHold: call({
      ...changing,
      servesReading: true,
      summary: 'Tells how much a legal hold would cover',
      title: { zh: '试算保全范围', en: 'Legal hold previewed' },
      path: '/services2/hold/previewHold',
      input: z.strictObject(scope),
      sample: (ids) => ({ itemIdArray: [ids.folderId] }),
      data: z.strictObject(Sum),
      codes: ['notFound'],
    }),
    placeHold: call({
      ...changing,
      summary: 'Places a legal hold',
      title: { zh: '发起保全', en: 'Legal hold placed' },
      notes:
        'From then on nothing that it covers is deleted for good, nor its versions and comments, by anybody or by any rule: such calls answer -474. New items in its folders and new items of its people are covered too.',
      path: '/services2/hold/placeHold',
      input: z
        .strictObject({
          name: text(100).refine(filled, 'a name'),
          number: text(60).default('').describe('The number of the case, as the company writes it.'),
          reason: text(1000).refine(filled, 'a reason'),
          told: Flag.default(false).describe('Whether the people it concerns see the mark at their items.'),
          ...scope,
        })
        .refine(({ userIdArray, itemIdArray }) => userIdArray.length + itemIdArray.length > 0, 'people or items'),
      sample: () => ({ name: '合同核查', reason: '诉讼', itemIdArray: [987_654_321] }),
      data: z.strictObject({ holdId: z.int() }),
      codes: ['notFound', 'alreadyExists'],
    }),
    liftHold: call({
      ...changing,
      summary: 'Lifts a legal hold',
      title: { zh: '解除保全', en: 'Legal hold lifted' },
      audits: ['holdId'],
      path: '/services2/hold/liftHold',
      input: z.strictObject({ holdId: HoldId, reason: text(1000).refine(filled, 'a reason') }),
      sample: () => ({ holdId: 987_654_321, reason: '结案' }),
      data: Nothing,
      codes: ['notFound', 'alreadyHandled'],
    }),
    getItemHolds: call({
      summary: 'Tells which legal holds cover an item, as far as the caller may know',
      auth: 'required',
      origin: 'ours',
      kind: 'read',
      method: 'GET',
      payload: 'query',
      path: '/services2/hold/getItemHolds',
      gate: (input) => [{ item: itemOf(input), action: 'see' }],
      input: z.strictObject(fileOrFolder).refine(exactlyOne, oneOf),
      sample: (ids) => ({ fileId: ids.fileId }),
      data: z.strictObject({
        list: z.array(z.strictObject({ name: z.string(), number: z.string(), createTime: Time })),
      }),
      codes: ['notFound'],
    }),
  },
})
