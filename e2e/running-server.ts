import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** A server process that has reported that it is ready. */
export interface RunningServer {
  /** Its address without a trailing slash. */
  readonly url: string
  /** The generated password of `admin`, on a first start. */
  readonly password: string
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, which a process cannot handle. */
  kill(): Promise<unknown>
}

/**
 * Waits until the process reports that it is ready. If it ends instead, fails with its output. The process is stopped
 * at the end of the test, or when `atEnd` decides.
 */
export async function ready(
  child: ChildProcess,
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<RunningServer> {
  if (!child.stdout || !child.stderr) throw new Error('the process needs pipes')
  const said: string[] = []
  const address = Promise.withResolvers<string>()
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      said.push(line)
      const [, url] = /^Cloudoc is ready at (\S+)/.exec(line) ?? []
      if (url) address.resolve(url)
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  void exited.then(() => address.reject(new Error(said.join('\n'))))
  atEnd(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const url = await address.promise
  const [, file] = /^Administrator: admin, password in (.+)$/m.exec(said.join('\n')) ?? []
  const password = file === undefined ? '' : readFileSync(file, 'utf8').trim()
  return {
    url,
    password,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
    kill() {
      child.kill('SIGKILL')
      return exited
    },
  }
}

/** Signs `admin` in and reads its own account with the token; returns the account's name on the server. */
export async function signIn({ url, password }: RunningServer): Promise<string> {
  const signedIn = await fetch(`${url}/services/json/login/login3`, {
    method: 'POST',
    body: new URLSearchParams({ userName: 'admin', password, clientType: '6' }),
  })
  const { data } = (await signedIn.json()) as { data: { accessToken: string; accountInfo: { account: string } } }
  const libraries = await fetch(`${url}/services2/setting/getRootFolderSetting`, {
    headers: { authorization: `Bearer ${data.accessToken}` },
  })
  if (libraries.status !== 200) throw new Error(`${libraries.status} ${await libraries.text()}`)
  return data.accountInfo.account
}
