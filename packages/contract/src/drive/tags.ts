// Tags on files and folders ([R236], [R158]): personal tags and company tags, with colours (X64).
import { limits, tagColours } from '@cloudoc/domain'
import { z } from 'zod'
import { ownAccount, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Id, IdArray, ItemRecord, Nothing, pageOf, rows, text } from '../fields.ts'
import { push } from '../push.ts'
import { file, folder } from './items.ts'

const Colour = z.enum(tagColours)
const TagName = text(limits.longestTag)
  .transform((name) => name.normalize('NFC').trim())
  .pipe(z.string().min(1))
const FType = z.union([z.literal(1), z.literal(2)])

const tag = {
  tagId: z.int(),
  tagName: z.string(),
  colour: Colour,
  /** True: a company tag, visible to all users who see the tagged item. False: a personal tag of the caller. */
  company: z.boolean(),
}
const Tag = z.strictObject(tag).meta({ id: 'Tag' })
export type Tag = z.output<typeof Tag>

const arrays = { fileIdArray: IdArray.default([]), folderIdArray: IdArray.default([]) }
const itemsOf = (input: { fileIdArray: number[]; folderIdArray: number[] }) => [
  ...input.fileIdArray.map(file),
  ...input.folderIdArray.map(folder),
]
/** Comma-separated ids. */
const Ids = text(2000)
  .regex(/^\d{1,15}(,\d{1,15})*$/)
  .transform((written) => written.split(',').map(Number))

const tagCalls = {
  /** Personal tags of the caller and company tags, filtered by name, pinyin or initials; most recently used first. */
  getTagList: call({
    summary: 'Lists tags that the caller can use',
    kind: 'read',
    method: 'GET',
    path: '/services2/tag/getTagList',
    auth: 'required',
    payload: 'query',
    needs: 'files',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ keyword: text(100).default(''), rows: rows(100, 1000) }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          ...tag,
          /** Number of tagged items that the caller may see; of very many only the newest are counted. */
          count: z.int(),
        }),
      ),
    }),
  }),
  /** Items without tags are left out. */
  getItemTags: call({
    summary: 'Tells which tags items bear',
    kind: 'read',
    method: 'POST',
    path: '/services2/tag/getItemTags',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => itemsOf(input).map((item) => ({ item, action: 'see' }) as const),
    leavesOut: true,
    input: z.strictObject(arrays),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: z.strictObject({ list: z.array(z.strictObject({ fType: FType, fId: z.int(), tags: z.array(Tag) })) }),
    codes: ['notFound'],
  }),
  /**
   * A name that is neither a tag of the caller nor of the company becomes a new personal tag. A company tag can be
   * removed from an item by the user who added it and by users who may change the item.
   */
  setItemTags: call({
    summary: 'Puts tags on items and takes tags off them',
    title: { zh: '修改标签', en: 'Tags changed' },
    log: 'none',
    kind: 'batch',
    method: 'POST',
    path: '/services2/tag/setItemTags',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'tag' }] },
    input: z.strictObject({
      ...arrays,
      addTags: z
        .array(z.strictObject({ tagName: TagName, colour: Colour.optional() }))
        .max(50)
        .default([]),
      addTagIds: z.array(Id).max(50).default([]),
      removeTagIds: z.array(Id).max(50).default([]),
    }),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'tooMany'],
  }),
  /** With several tags: items that have all of them. Folders come first when sorted by name, time or size. */
  getTagItems: call({
    summary: 'Lists items that bear tags',
    kind: 'read',
    method: 'GET',
    path: '/services2/tag/getTagItems',
    auth: 'required',
    payload: 'query',
    needs: 'files',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      tagIds: Ids,
      ...pageOf(60, 1000),
      keyword: text(100).default(''),
      /** By default the most recently tagged come first. */
      sort: z.enum(['time', 'name', 'size']).optional(),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    sample: () => ({ tagIds: '1' }),
    data: z.strictObject({
      list: z.array(ItemRecord),
      total: z.int(),
      /** The requested tags that exist for the caller. */
      tags: z.array(Tag),
    }),
  }),
  /** Creates a personal tag, or, with its id, changes its name and colour. */
  saveTag: call({
    summary: 'Makes or changes a tag of one’s own',
    title: { zh: '修改自己的标签', en: 'Own tag changed' },
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/tag/saveTag',
    auth: 'required',
    payload: 'json',
    needs: 'files',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ tagId: Id.optional(), tagName: TagName, colour: Colour.default('blue') }),
    sample: () => ({ tagName: '合同' }),
    data: z.strictObject({ tagId: z.int() }),
    codes: ['notFound', 'alreadyExists', 'tooMany'],
  }),
  tagDelMyList: call({
    summary: 'Deletes tags of one’s own, by their names',
    title: { zh: '删除自己的标签', en: 'Own tags deleted' },
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/tag/tagDelMyList',
    auth: 'required',
    payload: 'json',
    bodyField: 'tagNames',
    needs: 'files',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ tagNames: z.array(text(limits.longestTag)).max(1000) }),
    sample: () => ({ tagNames: ['合同'] }),
    data: Nothing,
  }),
  saveCompanyTag: call({
    summary: 'Makes or changes a tag of the company',
    title: { zh: '修改企业标签', en: 'Company tag changed' },
    kind: 'write',
    method: 'POST',
    path: '/services2/tag/saveCompanyTag',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ tagId: Id.optional(), tagName: TagName, colour: Colour.default('blue') }),
    sample: () => ({ tagName: '合同' }),
    data: z.strictObject({ tagId: z.int() }),
    codes: ['notFound', 'alreadyExists', 'tooMany'],
  }),
  deleteCompanyTag: call({
    summary: 'Deletes a tag of the company, and takes it off everything',
    title: { zh: '删除企业标签', en: 'Company tag deleted' },
    kind: 'write',
    method: 'POST',
    path: '/services2/tag/deleteCompanyTag',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ tagId: Id }),
    sample: () => ({ tagId: 1 }),
    data: Nothing,
    codes: ['notFound'],
  }),
}

const tagPushes = {
  /** The tags of an item changed, or, with fId 0, the tags themselves. */
  tagsChanged: push({
    summary: 'The tags on an item, or the tags that there are, have changed',
    type: 142,
    delivery: 'replayed',
    payload: z.strictObject({ fType: FType, fId: z.int() }),
  }),
}

export const tags = feature({
  about: { name: 'tags', text: 'Tags on files and folders' },
  calls: tagCalls,
  pushes: tagPushes,
  settings: {
    setting: {
      /** Users may tag items that they see ([R158]). */
      tag: z.boolean().default(true),
    },
    administered: {
      tag: {
        label: { zh: '标签', en: 'Tags' },
        note: {
          zh: '看得到的人给文件和文件夹加自己的或公司的标签；关闭后不再显示。',
          en: 'Who sees a file or folder puts tags of their own or of the company on it; switched off, they are not shown.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
