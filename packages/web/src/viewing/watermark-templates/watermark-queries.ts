// Data of watermark templates and the rules where they apply.
import type { Answer, calls, Watermark, WatermarkTemplate } from '@cloudoc/contract'
import { codes, defaultWatermark, watermarkLines } from '@cloudoc/domain'
import { api, envelopeOf, rawRequestHeaders, requestOf } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import type { Translate } from '../../core/i18n/i18n.ts'
import type { Session } from '../../core/session/session.ts'
import './texts.ts'

export type Rules = Answer<typeof calls.getWatermarkRules>
export type Rule = Rules['list'][number]

export const templatesKey = ['company', 'watermarks', 'templates'] as const
export const rulesKey = ['company', 'watermarks', 'rules'] as const
export const searchesKey = ['company', 'watermarks', 'searches'] as const
export const readSearches = () => api.getTraceSearches({}, { quiet: true })
export const refetchSearches = () => queryClient.invalidateQueries({ queryKey: searchesKey })
export type TraceResult = Answer<typeof calls.findTrace>

/** Searches a picture for the invisible watermark. */
export async function findTrace(file: File): Promise<TraceResult> {
  const { url, init } = requestOf('findTrace', { fileName: file.name })
  const headers = { ...rawRequestHeaders(), 'content-type': 'application/octet-stream' }
  const response = await fetch(url, { ...init, headers, body: file })
  const answer = envelopeOf(await response.text())
  if (answer?.result === codes.success.code) return answer.data as TraceResult
  throw new Error(answer?.msg ?? String(response.status))
}

/** The templates of the company. */
export const readTemplates = async () => {
  const { list } = await api.getWatermarkTemplates({}, { quiet: true })
  return { list: list.filter(({ isOwn }) => !isOwn) }
}
export const readRules = () => api.getWatermarkRules({}, { quiet: true })

/** A template before it is saved. */
export type Draft = Omit<WatermarkTemplate, 'templateId' | 'isStandard' | 'isOwn' | 'modifyTime'>

export const newDraft: Draft = {
  templateName: '',
  text: '{name} {account}\n{time}\n{address}',
  image: '',
  ...defaultWatermark,
  onPreview: true,
  onDownload: true,
}

/** A preview of a template, with the data of the current user. */
export function sampleOf(
  draft: Omit<Draft, 'templateName' | 'onPreview' | 'onDownload'>,
  session: Session,
  t: Translate,
): Watermark {
  const { text, image, rotate, padding, opacity, lineGap, size, color, layout } = draft
  const { account } = session
  const now = new Date()
  const lines = watermarkLines(text, {
    name: account.accountName,
    account: account.account,
    department: account.groupName,
    time: `${now.toLocaleDateString('sv')} ${now.toLocaleTimeString('sv').slice(0, 5)}`,
    address: '192.168.10.24',
    link: '#128',
    level: session.serverSetting.secret_names[0] ?? t('company.mark.word.level'),
    company: session.serverSetting.company_name,
  })
  return { lines, image, rotate, padding, opacity, lineGap, size, color, layout }
}
