// The content of a file, to and fro.
import type { Answer, calls } from '@cloudoc/contract'
import { codeOf, codes, codeText } from '@cloudoc/domain'
import { CallError, envelopeOf, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { renewSession } from '../../core/session/session.ts'

const noSession: readonly number[] = [401, 302, 266]

async function request(call: 'downloadServlet' | 'submitFile', url: string, init: RequestInit): Promise<Response> {
  const send = async (): Promise<Response> => {
    try {
      return await fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' })
    } catch {
      throw new CallError(call, { code: 'network', number: 0, message: t('api.network'), quiet: false })
    }
  }
  const response = await send()
  return noSession.includes(response.status) && (await renewSession()) ? send() : response
}

async function failureOf(call: 'downloadServlet' | 'submitFile', response: Response): Promise<CallError> {
  const envelope = envelopeOf(await response.text())
  const number = envelope?.result ?? response.status
  const code = envelope === undefined ? undefined : codeOf(envelope.result)
  const message = envelope?.msg || (code === undefined ? t('api.noAnswer') : codeText(number, currentLocale()))
  return new CallError(call, { code: code ?? 'http', number, message, quiet: false })
}

/** The content of a version. */
export async function contentOf(fileId: number, version: number): Promise<Uint8Array> {
  const url = streamUrl('downloadServlet', { fileId, version })
  const response = await request('downloadServlet', url, { headers: rawRequestHeaders() })
  const type = response.headers.get('content-type') ?? ''
  const isAnswer = type.startsWith('application/json') && response.headers.get('content-disposition') === null
  if (!response.ok || isAnswer) throw await failureOf('downloadServlet', response)
  return new Uint8Array(await response.arrayBuffer())
}

/** Hands in what was made of a version, under its lock, or of an older one (`madeOf`) on top of it. */
export async function submit(
  fileId: number,
  version: number,
  bytes: Uint8Array,
  madeOf?: number,
): Promise<Answer<typeof calls.submitFile>> {
  const headers = { ...rawRequestHeaders(), 'content-type': 'application/octet-stream' }
  const init = { method: 'PUT', headers, body: new Blob([bytes as Uint8Array<ArrayBuffer>]) }
  const url = streamUrl('submitFile', { fileId, version, ...(madeOf !== undefined && { madeOf }) })
  const response = await request('submitFile', url, init)
  if (!response.ok) throw await failureOf('submitFile', response)
  const envelope = envelopeOf(await response.clone().text())
  if (envelope?.result !== codes.success.code) throw await failureOf('submitFile', response)
  return envelope.data as Answer<typeof calls.submitFile>
}
