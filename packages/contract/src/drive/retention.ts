// Retention rules: files that nobody has changed for long enough are removed, by place, kind and secret level.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, rows, Time, text } from '../fields.ts'

const Level = Count.pipe(z.int().max(100))
const Extension = z.string().regex(/^[^\s./\\]{1,20}$/, 'an extension without a dot')

/** What a rule applies to, and what it does. */
const terms = {
  placeId: Id.default(0).describe('A library or a folder with everything below; 0: every library.'),
  exts: z.array(Extension).max(50).default([]).describe('Extensions in lower case; none stands for all files.'),
  levelFrom: Level.default(0).describe('The lowest secret level.'),
  levelTo: Level.default(100).describe('The highest secret level.'),
  days: Count.pipe(z.int().min(1).max(36_500)).describe('Days since the last change of the content.'),
  forGood: Flag.default(false).describe('Deletes for good, also from recycle bins; otherwise into the recycle bin.'),
}
const levelsInOrder = ({ levelFrom, levelTo }: { levelFrom: number; levelTo: number }): boolean => levelFrom <= levelTo
const levelOrder = 'levelFrom at most levelTo'

const Rule = z
  .strictObject({
    ruleId: z.int(),
    name: z.string(),
    placeId: z.int(),
    placeName: z.string().describe('Its path; empty for every library, or where the place is gone.'),
    isPlaceThere: z.boolean().describe('False where the place was deleted: the rule removes nothing.'),
    exts: z.array(z.string()),
    levelFrom: z.int(),
    levelTo: z.int(),
    days: z.int(),
    forGood: z.boolean(),
    enabled: z.boolean(),
    changerName: z.string(),
    nextRun: Time.describe('When it runs next; 0 while it is off.'),
    lastRun: Time.describe('0 if it has not run.'),
    lastCount: z.int().describe('Files that the last run removed.'),
    lastBytes: z.int(),
  })
  .meta({ id: 'RetentionRule' })

const administered = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const
const changing = { ...administered, kind: 'write', method: 'POST', payload: 'json' } as const

export const retention = feature({
  about: { name: 'retention rules', text: 'Which files are removed when nobody has changed them for long enough' },
  calls: {
    getRetentionRules: call({
      ...administered,
      summary: 'Lists the retention rules, with their next run and their last result',
      kind: 'read',
      method: 'GET',
      payload: 'none',
      path: '/services2/retention/getRules',
      input: z.strictObject({}),
      sample: () => ({}),
      data: z.strictObject({ list: z.array(Rule) }),
    }),
    findRetentionPlaces: call({
      ...administered,
      summary: 'Finds libraries and folders for a retention rule, by name or in a folder',
      kind: 'read',
      method: 'GET',
      payload: 'query',
      path: '/services2/retention/findPlaces',
      input: z.strictObject({ keyword: text(100).default(''), parentId: Id.default(0), rows: rows(30, 200) }),
      sample: () => ({}),
      data: z.strictObject({
        list: z.array(z.strictObject({ fType: z.literal(2), fId: z.int(), fName: z.string(), pathString: z.string() })),
      }),
    }),
    previewRetention: call({
      ...changing,
      servesReading: true,
      summary: 'Tells exactly which files a retention rule would remove now',
      title: { zh: '预览保留规则', en: 'Retention rule previewed' },
      path: '/services2/retention/preview',
      input: z.strictObject(terms).refine(levelsInOrder, levelOrder),
      sample: (ids) => ({ placeId: ids.folderId, days: 365 }),
      data: z.strictObject({
        count: z.int(),
        bytes: z.int().describe('The size of all versions of these files.'),
        held: z.int().describe('Files that would be removed if no legal hold covered them.'),
        list: z
          .array(
            z.strictObject({
              fileId: z.int(),
              fName: z.string(),
              pathString: z.string(),
              fileSize: z.int(),
              modifyTime: Time,
            }),
          )
          .describe('The first thousand, the longest unchanged first.'),
      }),
      codes: ['notFound'],
    }),
    saveRetentionRule: call({
      ...changing,
      summary: 'Creates a retention rule, or changes one',
      title: { zh: '保存保留规则', en: 'Retention rule saved' },
      notes: 'It runs once a day, for the first time a day after it was saved.',
      audits: ['ruleId'],
      path: '/services2/retention/saveRule',
      input: z
        .strictObject({
          ruleId: Id.default(0).describe('0 for a new one.'),
          name: text(100).refine((name) => name.trim() !== '', 'a name'),
          enabled: Flag.default(true),
          ...terms,
        })
        .refine(levelsInOrder, levelOrder),
      sample: () => ({ name: '过程稿', days: 730 }),
      data: z.strictObject({ ruleId: z.int() }),
      codes: ['notFound', 'alreadyExists'],
    }),
    runRetentionRule: call({
      ...changing,
      summary: 'Lets a retention rule run now instead of at its next time',
      title: { zh: '立即执行保留规则', en: 'Retention rule started' },
      audits: ['ruleId'],
      path: '/services2/retention/runRule',
      input: z.strictObject({ ruleId: Id }),
      sample: () => ({ ruleId: 987_654_321 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    removeRetentionRule: call({
      ...changing,
      summary: 'Removes a retention rule',
      title: { zh: '删除保留规则', en: 'Retention rule removed' },
      audits: ['ruleId'],
      path: '/services2/retention/removeRule',
      input: z.strictObject({ ruleId: Id }),
      sample: () => ({ ruleId: 987_654_321 }),
      data: Nothing,
      codes: ['notFound'],
    }),
  },
})
