/*
 * A WebDAV client that works at random in a folder of its own, with a model of it: the status of every answer must be
 * that of the model. A request whose answer was lost is settled by reading the folder: it was carried out, or not at
 * all.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The content of each file by its path; undefined for folders. */
type Tree = Map<string, string | undefined>

const names = ['a', 'b.txt', '文件 1', '50%&x', 'Übung', "o'neil#!", '[c]+;', '重庆.docx']
/** Files and folders of a client, beyond which it removes more than it adds. */
const enough = 40

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const isFolder = (tree: Tree, path: string): boolean => path === '' || (tree.has(path) && tree.get(path) === undefined)
export const sorted = (tree: Tree) => [...tree].toSorted(([a], [b]) => (a < b ? -1 : 1))
const without = (tree: Tree, path: string): Tree => new Map([...tree].filter(([each]) => !isIn(each, path)))
const moved = (tree: Tree, from: string, to: string): Tree =>
  new Map([...tree].flatMap(([path, content]) => (isIn(path, from) ? [[to + path.slice(from.length), content]] : [])))

interface Operation {
  readonly method: 'PUT' | 'MKCOL' | 'DELETE' | 'MOVE' | 'COPY' | 'LOCK' | 'UNLOCK'
  readonly path: string
  readonly to?: string
  readonly overwrite?: boolean
  readonly content?: string
  /** The token of a lock that the request names. */
  readonly token?: string
}

/** What the model expects: a status and, where it succeeds, the tree afterwards. */
function expected(tree: Tree, operation: Operation, locked: string | undefined): { status: number; after?: Tree } {
  const { method, path, to = '', overwrite = true, content = '', token } = operation
  const exists = tree.has(path)
  const isLocked = token === undefined && locked !== undefined
  switch (method) {
    case 'PUT':
      if (isFolder(tree, path)) return { status: 405 }
      if (!isFolder(tree, parentOf(path))) return { status: 409 }
      if (isLocked && isIn(path, locked)) return { status: 423 }
      return { status: exists ? 204 : 201, after: new Map(tree).set(path, content) }
    case 'MKCOL':
      if (exists) return { status: 405 }
      if (!isFolder(tree, parentOf(path))) return { status: 409 }
      if (isLocked && isIn(path, locked)) return { status: 423 }
      return { status: 201, after: new Map(tree).set(path, undefined) }
    case 'DELETE':
      if (!exists) return { status: 404 }
      if (isLocked && (isIn(path, locked) || isIn(locked, path))) return { status: 423 }
      return { status: 204, after: without(tree, path) }
    case 'MOVE':
    case 'COPY': {
      if (!exists) return { status: 404 }
      if (!isFolder(tree, parentOf(to))) return { status: 409 }
      if (isIn(to, path) || isIn(path, to)) return { status: 403 }
      if (tree.has(to) && !overwrite) return { status: 412 }
      const rest = method === 'MOVE' ? without(without(tree, to), path) : without(tree, to)
      return { status: tree.has(to) ? 204 : 201, after: new Map([...rest, ...moved(tree, path, to)]) }
    }
    case 'LOCK':
      if (exists) return { status: 200, after: tree }
      if (!isFolder(tree, parentOf(path))) return { status: 409 }
      return { status: 201, after: new Map(tree).set(path, '') }
    case 'UNLOCK':
      return { status: 204, after: tree }
    default:
      throw new Error(method)
  }
}

const lockBody =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>x</owner></lockinfo>'
const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** One client with its folder. */
export class Client {
  tree: Tree = new Map()
  /** What it has locked, with the token. */
  lock: { readonly path: string; readonly token: string } | undefined
  readonly counts = { done: 0, refused: 0, lost: 0 }
  private readonly root: string
  private readonly authorization: string
  private readonly random: () => number

  constructor(root: string, authorization: string, random: () => number) {
    this.root = root
    this.authorization = authorization
    this.random = random
  }

  private pick<T>(among: readonly T[]): T {
    return among[Math.floor(this.random() * among.length)] as T
  }

  /** A path that exists, or one in a folder that exists, or, seldom, one below nothing. */
  private place(): string {
    const paths = [...this.tree.keys()]
    if (paths.length > 0 && this.random() < 0.5) return this.pick(paths)
    const folders = ['', ...paths.filter((path) => isFolder(this.tree, path) && path.split('/').length < 5)]
    const folder = this.random() < 0.05 ? '/nowhere' : this.pick(folders)
    return `${folder}/${this.pick(names)}`
  }

  /** The next operation; a lock is kept for one refused and one permitted change. */
  draw(): Operation {
    const path = this.place()
    const { lock } = this
    const content = `${Math.floor(this.random() * 1e9)} `.repeat(Math.floor(this.random() * 300))
    if (lock !== undefined) {
      const kind = this.random()
      if (kind < 0.3) return { method: 'UNLOCK', path: lock.path, token: lock.token }
      if (kind < 0.6) return { method: 'PUT', path: lock.path, content }
      if (kind < 0.7) return { method: 'DELETE', path: lock.path }
      return { method: 'PUT', path: lock.path, content, token: lock.token }
    }
    if (this.tree.size > enough && this.random() < 0.4) return { method: 'DELETE', path }
    const method = this.pick(['PUT', 'PUT', 'PUT', 'MKCOL', 'MKCOL', 'MOVE', 'MOVE', 'COPY', 'DELETE', 'LOCK'] as const)
    // Only files are locked: what holds for folders is a matter of other tests.
    if (method === 'LOCK') return isFolder(this.tree, path) ? { method: 'PUT', path, content } : { method, path }
    return { method, path, to: this.place(), overwrite: this.random() < 0.6, content }
  }

  private send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Response> {
    return fetch(this.root + encoded(path), {
      method,
      headers: { authorization: this.authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }

  /** Performs an operation. Returns its status and the token of a lock, or undefined where the answer is lost. */
  private async perform(operation: Operation): Promise<{ status: number; token: string } | undefined> {
    const { method, path, to, overwrite, content, token } = operation
    const headers: Record<string, string> = {}
    if (method === 'MOVE' || method === 'COPY') {
      headers['destination'] = this.root + encoded(to ?? '')
      headers['overwrite'] = overwrite === true ? 'T' : 'F'
    }
    if (method === 'UNLOCK') headers['lock-token'] = `<${token}>`
    else if (token !== undefined) headers['if'] = `(<${token}>)`
    try {
      const response = await this.send(
        method,
        path,
        headers,
        method === 'PUT' ? content : method === 'LOCK' ? lockBody : undefined,
      )
      await response.text()
      const held = /^<(.+)>$/.exec(response.headers.get('lock-token') ?? '')?.[1] ?? ''
      return { status: response.status, token: held }
    } catch {
      return undefined
    }
  }

  /** Performs an operation and compares its answer with the model; after a lost answer reads what is there. */
  async step(operation: Operation, serverIsBack: () => Promise<void>): Promise<void> {
    const { status, after } = expected(this.tree, operation, this.lock?.path)
    const answer = await this.perform(operation)
    if (answer === undefined) {
      this.counts.lost += 1
      const found = await this.whenThere(serverIsBack, () => this.read())
      this.settle(operation, after, found)
      if (operation.method === 'LOCK' || operation.method === 'UNLOCK')
        await this.whenThere(serverIsBack, () => this.unlock(operation.path))
      return
    }
    const shown = JSON.stringify({ ...operation, content: undefined })
    if (answer.status !== status) throw new Error(`${shown} was answered ${answer.status} instead of ${status}`)
    this.counts[after === undefined ? 'refused' : 'done'] += 1
    this.tree = after ?? this.tree
    if (operation.method === 'LOCK' && after !== undefined) this.lock = { path: operation.path, token: answer.token }
    if (operation.method === 'UNLOCK') this.lock = undefined
  }

  /** Asks a server that may be killed meanwhile: then it is asked again once it is back. */
  private async whenThere<T>(serverIsBack: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
    while (true) {
      await serverIsBack()
      try {
        return await ask()
      } catch (error) {
        // What fetch throws where a connection broke off.
        if (!(error instanceof TypeError)) throw error
      }
    }
  }

  private settle(operation: Operation, after: Tree | undefined, found: Tree): void {
    const candidates = [this.tree, after ?? this.tree].map((tree) => JSON.stringify(sorted(tree)))
    if (!candidates.includes(JSON.stringify(sorted(found))))
      throw new Error(`carried out in part: ${JSON.stringify([operation, sorted(this.tree), sorted(found)])}`)
    this.tree = found
  }

  /** Gives a lock back of which the client does not know whether it holds it. */
  private async unlock(path: string): Promise<void> {
    this.lock = undefined
    if (!this.tree.has(path)) return
    const text = await (await this.send('PROPFIND', path, { depth: '0' })).text()
    const token = /urn:uuid:[0-9a-f-]+/.exec(text)?.[0]
    if (token === undefined) return
    const { status } = await this.send('UNLOCK', path, { 'lock-token': `<${token}>` })
    if (status !== 204) throw new Error(`UNLOCK was answered ${status}`)
  }

  /** Reads the folder with everything in it. */
  async read(): Promise<Tree> {
    const tree: Tree = new Map()
    const base = new URL(this.root).pathname
    const visit = async (folder: string): Promise<void> => {
      const response = await this.send('PROPFIND', folder, { depth: '1' })
      if (response.status !== 207) throw new Error(`PROPFIND was answered ${response.status}`)
      const text = await response.text()
      for (const [, href = ''] of text.matchAll(/<d:response><d:href>([^<]+)<\/d:href>/g)) {
        const path = decodeURIComponent(href.replaceAll('&amp;', '&').slice(base.length)).replace(/\/$/, '')
        if (path === folder) continue
        tree.set(path, href.endsWith('/') ? undefined : await (await this.send('GET', path)).text())
        if (href.endsWith('/')) await visit(path)
      }
    }
    await visit('')
    return tree
  }

  /** Writes what should be there into a folder of this machine. */
  async writeTo(folder: string): Promise<void> {
    await mkdir(folder)
    for (const [path, content] of sorted(this.tree)) {
      if (content === undefined) await mkdir(join(folder, path))
      else await writeFile(join(folder, path), content)
    }
  }
}
