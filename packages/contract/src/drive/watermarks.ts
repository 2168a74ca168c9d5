/*
 * Watermarks ([R279]-[R281]): templates of the text drawn over files, and rules where they apply. When a file is
 * displayed, the server sends the watermark with it. In a downloaded copy the watermark is embedded.
 */
import { defaultWatermark, maxWatermarkLength, watermarkLayouts } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, ownAccount, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, Id, Nothing, Time, text } from '../fields.ts'

/** An inline image as data URL: PNG, JPEG or WebP; empty for none. */
const Picture = z
  .string()
  .max(280_000)
  .regex(/^(data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*)?$/)
const look = {
  image: Picture,
  rotate: z.int().min(-90).max(90),
  padding: z.int().min(0).max(400),
  opacity: z.number().min(0.05).max(1),
  lineGap: z.int().min(0).max(40),
  size: z.int().min(8).max(72),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  layout: z.enum(watermarkLayouts),
}
const usual = {
  image: look.image.default(''),
  rotate: look.rotate.default(defaultWatermark.rotate),
  padding: look.padding.default(defaultWatermark.padding),
  opacity: look.opacity.default(defaultWatermark.opacity),
  lineGap: look.lineGap.default(defaultWatermark.lineGap),
  size: look.size.default(defaultWatermark.size),
  color: look.color.default(defaultWatermark.color),
  layout: look.layout.default(defaultWatermark.layout),
}

/** Answer fields without input validation; they were validated when set. */
const watermarkNotice = { ...look, image: z.string(), color: z.string().describe('`#rrggbb`') }

/** A watermark as rendered for one user at one time. */
export const AppliedWatermark = z
  .strictObject({
    lines: z.array(z.string()),
    ...watermarkNotice,
    trace: z
      .string()
      .optional()
      .describe(
        'The invisible mark beside it: 32 by 32 fields row by row, four to a hexadecimal digit, 1 where the blue is stronger.',
      ),
  })
  .meta({ id: 'Watermark' })
export type Watermark = z.output<typeof AppliedWatermark>

const Template = z
  .strictObject({
    templateId: z.int(),
    templateName: z.string(),
    text: z
      .string()
      .describe('Lines; {name} {account} {department} {time} {address} {link} {level} {company} stand for theirs.'),
    ...watermarkNotice,
    onPreview: z.boolean(),
    onDownload: z.boolean(),
    /** The default template, used when a watermark is needed and no template is named. */
    isStandard: z.boolean(),
    /** A template of the caller, for their own links. */
    isOwn: z.boolean(),
    modifyTime: Time,
  })
  .meta({ id: 'WatermarkTemplate' })
export type WatermarkTemplate = z.output<typeof Template>

const rule = {
  templateId: Id,
  /** Scope of the rule; `level`: the given secret level and all higher ones. */
  target: z.enum(['all', 'library', 'level', 'user']),
  targetId: z.int().min(0),
}
const Rule = z.strictObject({ ...rule, targetName: z.string() }).meta({ id: 'WatermarkRule' })
export type WatermarkRule = z.output<typeof Rule>

/** Result of tracing an invisible mark: the user to whom the file was displayed. */
const Trace = z
  .strictObject({
    traceId: z.string(),
    /** The user whose rights applied; for a visitor, the creator of the link. */
    userId: z.int(),
    accountName: z.string(),
    account: z.string(),
    groupName: z.string(),
    isThere: z.boolean(),
    link: z.string().describe('What the link is called that a visitor came by; empty for people of the company.'),
    visitor: z.string(),
    fileId: z.int(),
    fName: z.string(),
    version: z.int(),
    time: Time,
    lastTime: Time,
    address: z.string(),
    agent: z.string(),
  })
  .meta({ id: 'WatermarkTrace' })
export type WatermarkTrace = z.output<typeof Trace>

const saved = z
  .strictObject({
    templateId: Id.optional(),
    templateName: text(60),
    text: text(maxWatermarkLength),
    ...usual,
    onPreview: Flag.default(true),
    onDownload: Flag.default(true),
  })
  .refine(({ templateName }) => templateName.trim() !== '', 'templateName')
  .refine(({ text: said, image }) => said.trim() !== '' || image !== '', 'text or image')

const ours = { auth: 'required', origin: 'ours' } as const
const administering = { ...ours, guard: securityAdministrator } as const

const watermarkCalls = {
  getWatermarkTemplates: call({
    summary: 'Lists the templates of watermarks',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/watermark/getTemplates',
    payload: 'none',
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Template) }),
  }),
  saveWatermarkTemplate: call({
    summary: 'Makes a template of a watermark, or changes one',
    title: { zh: '修改水印模板', en: 'Watermark template changed' },
    notes: 'A name that another one has is -5. It says something or shows a picture.',
    ...administering,
    kind: 'write',
    method: 'POST',
    path: '/services2/watermark/saveTemplate',
    payload: 'json',
    input: saved,
    sample: () => ({ templateName: '新模板', text: '{name}' }),
    data: Template,
    codes: ['notFound', 'alreadyExists'],
  }),
  deleteWatermarkTemplate: call({
    summary: 'Deletes a template of a watermark',
    title: { zh: '删除水印模板', en: 'Watermark template deleted' },
    notes: 'What it was for has none from then on; links that bear it take the standard one, which stays (-4).',
    ...administering,
    kind: 'write',
    method: 'POST',
    path: '/services2/watermark/deleteTemplate',
    payload: 'json',
    input: z.strictObject({ templateId: Id }),
    sample: (ids) => ({ templateId: ids.templateId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  saveOwnWatermark: call({
    summary: 'Makes a template of a watermark for the links and signing processes of the caller, or changes one',
    title: { zh: '修改自己的水印', en: 'Own watermark changed' },
    notes:
      'A name that another one of the caller has is -5. Nobody else can choose it; rules of the company do not name it.',
    ...ours,
    guard: accountHolder,
    kind: 'write',
    method: 'POST',
    path: '/services2/watermark/saveOwn',
    payload: 'json',
    input: saved,
    sample: () => ({ templateName: '对外报价', text: '{company} {link}' }),
    data: Template,
    codes: ['notFound', 'alreadyExists'],
  }),
  deleteOwnWatermark: call({
    summary: 'Deletes a template of the caller',
    title: { zh: '删除自己的水印', en: 'Own watermark deleted' },
    notes: 'Links that bear it take the standard one.',
    ...ours,
    guard: accountHolder,
    kind: 'write',
    method: 'POST',
    path: '/services2/watermark/deleteOwn',
    payload: 'json',
    input: z.strictObject({ templateId: Id }),
    sample: (ids) => ({ templateId: ids.ownTemplateId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  getWatermarkRules: call({
    summary: 'Lists where watermarks apply',
    ...administering,
    kind: 'read',
    method: 'GET',
    path: '/services2/watermark/getRules',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(Rule),
      /** Libraries that a rule can apply to: shared libraries only. */
      libraries: z.array(z.strictObject({ libraryId: z.int(), libraryName: z.string() })),
    }),
  }),
  findTrace: call({
    summary: 'Looks for the invisible mark in a screenshot or photo',
    title: { zh: '泄露溯源', en: 'Search for an invisible mark' },
    notes:
      'Tells whom of what was shown, where a mark of this installation is in it; null where there is none, never a guess. The picture is not kept.',
    ...administering,
    kind: 'staged',
    audit: 'administration',
    method: 'PUT',
    path: '/services2/watermark/findTrace',
    payload: 'raw',
    input: z.strictObject({ fileName: text(255) }),
    sample: () => ({ fileName: '名.txt' }),
    data: z.strictObject({
      found: Trace.nullable(),
      width: z.int(),
      height: z.int(),
      percent: z.int().describe('Its size, of that in which it was shown.'),
    }),
    codes: ['fileSizeExceeded', 'conversionFailed', 'conversionUnsupported', 'conversionTimedOut'],
    timeoutMs: 120_000,
  }),
  getTraceSearches: call({
    summary: 'Lists the pictures that were looked at for an invisible mark, the latest first',
    ...administering,
    kind: 'read',
    method: 'GET',
    path: '/services2/watermark/getTraceSearches',
    payload: 'none',
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          time: Time,
          userId: z.int(),
          accountName: z.string(),
          fileName: z.string(),
          found: Trace.nullable(),
        }),
      ),
    }),
  }),
  setWatermarkRules: call({
    summary: 'Says where watermarks apply, all of it at once',
    title: { zh: '修改水印用在哪里', en: 'Watermark rules changed' },
    notes:
      'Of several that are for a file and a person the one for the person is taken, then that of the highest level, of the library, of all.',
    ...administering,
    kind: 'write',
    method: 'POST',
    path: '/services2/watermark/setRules',
    payload: 'json',
    input: z.strictObject({ watermarkRules: z.array(z.strictObject(rule)).max(500) }),
    sample: (ids) => ({ watermarkRules: [{ templateId: ids.templateId, target: 'all', targetId: 0 }] }),
    data: z.strictObject({ list: z.array(Rule) }),
    codes: ['notFound'],
  }),
} as const

export const watermarks = feature({
  about: { name: 'watermarks', text: 'What is written over files that are shown or given out' },
  calls: watermarkCalls,
  settings: {
    setting: {
      /** Restricted documents can be downloaded as a watermarked copy ([R146], [R281]). */
      download_watermark: z.boolean().default(false),
    },
    administered: {
      download_watermark: {
        label: { zh: '受限文档带水印下载', en: 'Restricted documents with a watermark' },
        note: {
          zh: '不能直接下载的受限文档，可下载写有下载人的副本（pdf、docx、xlsx、pptx 和图片）。',
          en: 'Restricted documents, which are not downloaded as they are, may be taken as copies that bear who took them (pdf, docx, xlsx, pptx, pictures).',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
