import { type DemoLibrary, demoCompany } from './company.ts'
import { docx, type EmptyDocument, pptx, xlsx } from './office.ts'
import { asset, pdf } from './pdf.ts'
import { bmp, chart, gif, jpg, landscape, png, svg } from './pictures.ts'
import { csv, eml, gbk, html, json, markdown, txt, wav, xml, zip } from './plain.ts'
import { random } from './random.ts'
import { type Writing, type WritingKind, write } from './writing.ts'

/** A demo document, generated when `bytes` is called. */
export interface DemoFile {
  library: DemoLibrary
  /** Folder names from the library root. */
  path: string[]
  name: string
  /** The uploading account. */
  by: string
  bytes(): Uint8Array | Promise<Uint8Array>
  /** Its earlier versions, oldest first. */
  drafts?: readonly Pick<DemoFile, 'by' | 'bytes'>[]
}

type Make = (writing: Writing, empty: EmptyDocument) => Uint8Array | Promise<Uint8Array>

const formats = {
  docx: { extName: 'docx', rows: 6, make: docx },
  xlsx: { extName: 'xlsx', rows: 48, make: xlsx },
  pptx: { extName: 'pptx', rows: 6, make: pptx },
  pdf: { extName: 'pdf', rows: 14, make: pdf },
  txt: { extName: 'txt', rows: 4, make: txt },
  gbk: { extName: 'txt', rows: 4, make: gbk },
  md: { extName: 'md', rows: 5, make: markdown },
  csv: { extName: 'csv', rows: 120, make: csv },
  html: { extName: 'html', rows: 8, make: html },
  json: { extName: 'json', rows: 12, make: json },
  xml: { extName: 'xml', rows: 12, make: xml },
  eml: { extName: 'eml', rows: 6, make: eml },
  zip: { extName: 'zip', rows: 20, make: zip },
  png: { extName: 'png', rows: 8, make: (writing: Writing) => png(chart(writing)) },
  gif: { extName: 'gif', rows: 7, make: (writing: Writing) => gif(chart(writing, 480, 320)) },
  bmp: { extName: 'bmp', rows: 6, make: (writing: Writing) => bmp(chart(writing, 360, 270)) },
  svg: { extName: 'svg', rows: 5, make: svg },
} satisfies Record<string, { extName: string; rows: number; make: Make }>

type Format = keyof typeof formats

/** Folder path, kind, number of documents; the formats alternate. */
type Plan = [path: string, kind: WritingKind, count: number, ...formats: Format[]]

const companyPlans: Plan[] = [
  ['规章制度', 'rule', 12, 'docx', 'pdf'],
  ['规章制度/修订稿', 'rule', 4, 'docx'],
  ['通知公告/2025年', 'notice', 9, 'docx', 'pdf', 'txt'],
  ['通知公告/2026年', 'notice', 6, 'pdf', 'docx', 'html'],
  ['会议纪要', 'minutes', 8, 'docx', 'md'],
  ['培训资料', 'training', 9, 'pptx', 'pdf', 'docx'],
  ['应急预案', 'emergency', 4, 'pdf', 'docx'],
  ['统计图表', 'budget', 6, 'png', 'svg', 'gif'],
]

const departmentPlans: Record<string, Plan[]> = {
  office: [
    ['总经理办公会', 'minutes', 6, 'docx', 'pdf'],
    ['经营分析', 'budget', 6, 'xlsx', 'pptx'],
    ['来往邮件', 'visit', 3, 'eml'],
  ],
  admin: [
    ['资产管理', 'emergency', 6, 'xlsx', 'csv'],
    ['办公区调整', 'notice', 5, 'docx', 'png', 'bmp'],
    ['旧系统导出', 'notice', 3, 'gbk', 'csv', 'xml'],
  ],
  hr: [
    ['招聘', 'recruit', 9, 'docx', 'xlsx', 'pdf'],
    ['绩效考核', 'training', 9, 'xlsx', 'csv'],
    ['培训记录', 'training', 4, 'pptx', 'xlsx'],
  ],
  finance: [
    ['预算/2025年', 'budget', 8, 'xlsx', 'docx'],
    ['预算/2026年', 'budget', 8, 'xlsx', 'pptx', 'pdf'],
    ['审计', 'audit', 6, 'pdf', 'docx'],
    ['接口数据', 'contract', 4, 'json', 'xml'],
  ],
  legal: [
    ['合同归档/2025年', 'contract', 10, 'pdf', 'docx'],
    ['合同归档/2026年', 'contract', 10, 'pdf', 'docx', 'zip'],
    ['法律意见', 'audit', 4, 'docx'],
  ],
  rd: [
    ['项目管理/立项', 'proposal', 6, 'pptx', 'docx', 'pdf'],
    ['项目管理/周报', 'report', 12, 'md', 'docx', 'xlsx'],
    ['项目管理/需求', 'requirement', 6, 'docx', 'html'],
  ],
  platform: [
    ['设计文档', 'requirement', 8, 'md', 'svg', 'docx'],
    ['配置样例', 'requirement', 6, 'json', 'xml', 'html'],
    ['部署包', 'emergency', 3, 'zip'],
  ],
  qa: [
    ['测试报告', 'test', 9, 'docx', 'xlsx', 'pdf'],
    ['测试数据', 'test', 6, 'csv', 'json', 'txt'],
    ['截图', 'test', 5, 'png', 'bmp', 'gif'],
  ],
  marketing: [
    ['推广活动', 'market', 8, 'pptx', 'docx', 'xlsx'],
    ['官网内容', 'market', 5, 'html', 'md'],
    ['图表素材', 'market', 4, 'png', 'svg'],
  ],
  sales: [
    ['解决方案', 'proposal', 8, 'pptx', 'pdf', 'docx'],
    ['客户拜访', 'visit', 8, 'docx', 'eml', 'txt'],
    ['报价', 'contract', 6, 'xlsx', 'csv'],
  ],
  east: [
    ['客户资料', 'visit', 8, 'docx', 'xlsx', 'eml'],
    ['合同跟进', 'contract', 6, 'xlsx', 'pdf'],
  ],
  service: [
    ['服务报告', 'test', 6, 'docx', 'pdf'],
    ['知识库', 'training', 6, 'md', 'html', 'txt'],
    ['客户来信', 'visit', 4, 'eml'],
  ],
}

const personalPlans: Plan[] = [
  ['', 'report', 1, 'docx', 'md', 'txt'],
  ['工作资料', 'minutes', 1, 'docx', 'pdf'],
  ['工作资料', 'visit', 1, 'xlsx', 'txt', 'pptx'],
]

const photoCaptions = ['团建活动', '年度大会', '客户参观', '新址落成', '春季徒步', '技术沙龙']

/** Number of small files in one folder of the service department's archive. */
export const bigFolderCount = 10_000

/**
 * Generates all documents one at a time. A document is generated when its bytes are requested, always with the same
 * bytes. Office documents are based on the product's empty documents.
 */
export function* demoFiles(empty: EmptyDocument): Generator<DemoFile> {
  yield* planned({ kind: 'company' }, companyPlans, ['linxia', 'zhoujing'], empty)
  yield* media()
  for (const { key } of demoCompany.groups) {
    const members = demoCompany.people.filter((person) => person.group === key).map((person) => person.account)
    yield* planned({ kind: 'department', key }, departmentPlans[key] ?? [], members, empty)
  }
  for (const [index, { account }] of demoCompany.people.entries()) {
    const plans = personalPlans.map(([path, kind, count, ...kinds]): Plan => {
      const format = kinds[index % kinds.length]
      return [path, kind, count, ...(format ? [format] : [])]
    })
    yield* planned({ kind: 'personal', key: account }, plans, [account], empty)
  }
  yield* archive()
}

function* planned(library: DemoLibrary, plans: Plan[], authors: string[], empty: EmptyDocument): Generator<DemoFile> {
  const taken = new Set<string>()
  for (const [folder, kind, count, ...turns] of plans) {
    const path = folder === '' ? [] : folder.split('/')
    const writers = namedWriters(library, folder) ?? authors
    for (let index = 0; index < count; index++) {
      const seed = [library.kind, library.key, folder, kind, index].join('/')
      const r = random(`${seed}/author`)
      const { extName, rows, make } = formats[turns[index % turns.length] ?? 'docx']
      const { title } = write(kind, seed, 0)
      let name = `${title}.${extName}`
      for (let n = 2; taken.has(`${folder}/${name}`); n++) name = `${title} (${n}).${extName}`
      taken.add(`${folder}/${name}`)
      const version = (some: number) => () => make(write(kind, seed, some), empty)
      const by = r.pick(writers)
      // One in four has several versions: shorter ones first, by varying authors.
      const drafts = r.whole(1, 4) > 1 ? 0 : r.whole(1, 3)
      yield {
        library,
        path,
        name,
        by,
        bytes: version(rows),
        drafts: Array.from({ length: drafts }, (_, n) => ({
          by: n === 0 ? by : r.pick(writers),
          bytes: version(Math.max(1, rows - drafts + n)),
        })),
      }
    }
  }
}

/** Returns the users who may write into a folder that is closed to its department. */
function namedWriters({ kind, key }: DemoLibrary, folder: string): string[] | undefined {
  const closed = demoCompany.shares.find(
    (share) =>
      !share.inherit && share.library.kind === kind && share.library.key === key && share.path.join('/') === folder,
  )
  return closed?.entries.filter(({ type, rights }) => type === 'user' && rights !== 'preview').map((entry) => entry.key)
}

function* media(): Generator<DemoFile> {
  const library: DemoLibrary = { kind: 'company' }
  const by = 'linxia'
  for (let n = 1; n <= 18; n++) {
    const caption = `${['上海', '杭州', '苏州'][n % 3]}${photoCaptions[n % photoCaptions.length]}${String(n).padStart(2, '0')}`
    const bytes = () => jpg(landscape(`photo ${n}`, `华信集团 ${caption}`))
    yield { library, path: ['影像资料', '活动照片'], name: `${caption}.jpg`, by, bytes }
  }
  for (const name of ['会议提示音', '开场音乐', '客服等待音乐', '广播前奏']) {
    yield { library, path: ['影像资料', '音频'], name: `${name}.wav`, by, bytes: () => wav(name) }
  }
  yield { library, path: ['影像资料', '宣传片'], name: '华信集团宣传片.mp4', by, bytes: () => asset('clip.mp4') }
  yield { library, path: ['影像资料', '宣传片'], name: '企业云文档介绍.webm', by, bytes: () => asset('clip.webm') }
}

function* archive(): Generator<DemoFile> {
  for (let n = 1; n <= bigFolderCount; n++) {
    const seed = `ticket/${n}`
    const number = String(n).padStart(5, '0')
    const { title } = write('ticket', seed, 0)
    yield {
      library: { kind: 'department', key: 'service' },
      path: ['工单归档'],
      name: `${number} ${title}.txt`,
      by: 'tianye',
      bytes: () =>
        new TextEncoder().encode(`归档号 ${number}\r\n${new TextDecoder().decode(txt(write('ticket', seed, 0)))}`),
    }
  }
}
