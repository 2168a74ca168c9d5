/*
 * States of earlier schemas, stored as small backups in fixtures/, each with what three people could see in it. Make
 * one when a schema is released: `node packages/server/test/make-fixture.ts NNNN-name`.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type CallAnswer, type CallInput, type CallName, calls, callsByName, placeInput } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import type { FastifyInstance } from 'fastify'

export const fixtures = join(import.meta.dirname, 'fixtures')

/** The people whose view each fixture records: a manager of the company's documents, and people of two departments. */
export const viewers = ['linxia', 'chenxiao', 'yangfan'] as const

/** One person of an installation. */
export interface Client {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  upload(folderId: number, fileName: string, content: string, conflict: 'refuse' | 'version'): Promise<number>
  bytes(fileId: number, version: number): Promise<Buffer>
}

export async function signInTo(http: FastifyInstance, userName: string, password: string): Promise<Client> {
  const headers: Record<string, string> = {}
  const request = async (method: 'GET' | 'POST' | 'PUT', url: string, type?: string, payload?: string) => {
    const sent = { ...headers, ...(type === undefined ? {} : { 'content-type': type }) }
    const response = await http.inject({ method, url, headers: sent, ...(payload === undefined ? {} : { payload }) })
    const { result, data, msg } = response.json<{ result: number; data: unknown; msg: string }>()
    if (result !== codes.success.code) throw new Error(`${url} was refused: ${result} ${msg}`)
    return data
  }
  const client: Client = {
    async call(name, input) {
      const { method, path, body } = placeInput(callsByName[name], input)
      return (await request(method, path, body?.type, body?.text)) as never
    },
    async upload(folderId, fileName, content, conflict) {
      const query = new URLSearchParams({ folderId: String(folderId), fileName, conflict })
      const path = `${calls.uploadRaw.path}?${query.toString()}`
      return ((await request('PUT', path, 'application/octet-stream', content)) as { fileId: number }).fileId
    },
    async bytes(fileId, version) {
      const response = await http.inject({ url: `/DownloadServlet?fileId=${fileId}&version=${version}`, headers })
      if (response.statusCode !== 200) throw new Error(`version ${version} of ${fileId} answers ${response.statusCode}`)
      return response.rawPayload
    },
  }
  const { accessToken } = await client.call('login3', { userName, password, clientType: 6 })
  headers['authorization'] = `Bearer ${accessToken}`
  return client
}

/**
 * Returns what a person sees, one line each: folders and files with their rights, every version with its hash, the
 * recycle bin.
 */
export async function visibleTo(client: Client): Promise<string[]> {
  const seen: string[] = []
  const { list: roots } = await client.call('getRootFolderSetting', {})
  const waiting = roots.map((root) => ({ folderId: root.fId, path: `/${root.fName}` }))
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const { list } = await client.call('getSubItemList3', { folderId: at.folderId, rows: 1000 })
    for (const { fType, fId, fName, rights, version } of list) {
      const path = `${at.path}/${fName}`
      if (fType === 2) {
        seen.push(`${path}/ ${rights}`)
        waiting.push({ folderId: fId, path })
        continue
      }
      for (let number = 1; number <= version; number += 1) {
        const sha256 = createHash('sha256')
          .update(await client.bytes(fId, number))
          .digest('hex')
        seen.push(`${path} ${rights} ${number} ${sha256.slice(0, 16)}`)
      }
    }
  }
  const { list: bin } = await client.call('getRecycleList', {})
  return [...seen, ...bin.map((item) => `deleted ${item.fName}`)]
}
