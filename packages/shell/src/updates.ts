/*
 * Installers that are downloaded in the client ([R372], [R373], ADR 0292). One counts only if the signed list of the
 * server names it, with its length and hash. Until then it does not have its name, and one that does not count is
 * deleted.
 */
import { readFile, rename, rm } from 'node:fs/promises'
import {
  checkInstaller,
  checkList,
  nothingSeen,
  type UpdateMemory,
  type UpdateProblem,
  UpdateRefused,
  writeAtomically,
} from '@cloudoc/control'

const downloadPath = /^\/services2\/client\/downloadClient\/(\d{1,15})$/
/** What the name of an installer ends with before it was checked. */
export const unchecked = '.unchecked'

/** The number of the installer that an address of the server downloads; undefined for any other address. */
export function installerOf(address: string, server: string): number | undefined {
  const { origin, pathname } = new URL(address)
  const [, id] = origin === server ? (downloadPath.exec(pathname) ?? []) : []
  return id === undefined ? undefined : Number(id)
}

interface Known {
  /** The key whose lists count: that of the installation, or the first one that was seen. */
  readonly publicKey: string
  readonly memory: UpdateMemory
}

export interface UpdateSource {
  readonly server: string
  /** The key that the installation came with; empty: the first one that the server shows is kept. */
  readonly updateKey: string
  /** The file with what was seen of earlier lists. */
  readonly file: string
  readonly askServer: (address: string) => Promise<unknown>
  readonly now: () => number
}

/** Gives a downloaded installer its name, or deletes it and fails with the reason. */
export async function acceptInstaller(source: UpdateSource, packageId: number, path: string): Promise<string> {
  const draft = `${path}${unchecked}`
  try {
    const programs = await readPrograms(source)
    const program = programs.find((one) => one.packageId === packageId)
    if (program === undefined) throw new UpdateRefused('damaged')
    await checkInstaller(draft, program)
    await rename(draft, path)
    return path
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function readPrograms({ server, updateKey, file, askServer, now }: UpdateSource) {
  const answer = await askServer(`${server}/services2/client/getUpdateMetadata`)
  const { data } = answer as { data?: { signed: string; signature: string; publicKey: string } }
  if (data === undefined || data.signed === '') throw new UpdateRefused('signature')
  const all = await readKnown(file)
  const known = all[server] ?? { publicKey: data.publicKey, memory: nothingSeen }
  const publicKey = updateKey === '' ? known.publicKey : updateKey
  const { programs, memory, expired } = checkList(data, { publicKey, memory: known.memory, now: now() })
  await writeAtomically(file, { ...all, [server]: { publicKey, memory } })
  if (expired) throw new UpdateRefused('expired')
  return programs
}

/** A file that is missing counts as empty; one that cannot be read does not, so that nothing goes back unseen. */
async function readKnown(file: string): Promise<Readonly<Record<string, Known>>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}'
    throw error
  })
  return JSON.parse(text) as Readonly<Record<string, Known>>
}

type Reason = UpdateProblem | 'unchecked'

const reasons: Readonly<Record<'zh' | 'en', Readonly<Record<Reason, string>>>> = {
  zh: {
    signature: '程序列表的签名不对，可能被人改过。',
    expired: '服务器的程序列表已过期，请管理员在服务器上更新。',
    olderList: '服务器给出的程序列表比以前见过的旧。',
    olderVersion: '服务器给出的版本比以前见过的旧。',
    damaged: '安装包不完整，或与服务器公布的不一致。',
    unchecked: '没能向服务器核对安装包，请稍后再试。',
  },
  en: {
    signature: 'The list of programs has a wrong signature. It may have been altered.',
    expired: 'The list of programs on the server has expired. Ask an administrator to renew it.',
    olderList: 'The server gave an older list of programs than one seen before.',
    olderVersion: 'The server gave an older version than one seen before.',
    damaged: 'The installer is incomplete, or differs from what the server published.',
    unchecked: 'The installer could not be checked with the server. Try again later.',
  },
}

/** Tells why an installer was deleted. */
export function refusalText(error: unknown, locale: string): { readonly title: string; readonly text: string } {
  const language = locale.startsWith('zh') ? 'zh' : 'en'
  const text = reasons[language][error instanceof UpdateRefused ? error.problem : 'unchecked']
  return language === 'zh'
    ? { title: '安装包已删除', text: `${text}当前版本可以继续使用。` }
    : { title: 'Installer deleted', text: `${text} The present version works on.` }
}
