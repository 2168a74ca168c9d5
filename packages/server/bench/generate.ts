/*
 * Fills a new installation by COPY with as many items, people, departments and grants as a large company has: rows
 * only, no contents. Files arrive in small bursts across the library, as in practice, so that the files of one folder
 * are spread over the table.
 */
import { once } from 'node:events'
import { rightsGroup } from '@cloudoc/domain'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { connectionOf } from '../src/core/db/database.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { folded } from '../src/core/folding.ts'
import { textKeys } from '../src/core/text-keys.ts'
import { hashPassword } from '../src/people/auth/index.ts'
import { backfillDone, documentSigns, fitSigns, grams, signsOf } from '../src/search/items/index.ts'
import { nameOf, proseOf, random, rareWords, type Stem, vocabulary } from './vocabulary.ts'

export interface Size {
  readonly items: number
  readonly people: number
  readonly departments: number
  readonly grants: number
  /** Letters of text unique to each file; if absent, files share a thousand contents made of a few names. */
  readonly letters?: number
}

/** The generated data, for the measurements. */
export interface Installation {
  /** Accounts by what they see: everything, a hundredth, nothing. */
  readonly everything: string
  readonly hundredth: string
  readonly nothing: string
  readonly companyLibrary: number
  /** Folder ids by the number of files in them. */
  readonly folders: Readonly<Record<number, number>>
  /** A file in the largest folder. */
  readonly fileId: number
}

/** Folders with these numbers of files are made, if they are a small part of the total. */
const folderSizes = [100, 1000, 10_000, 100_000]
const rareTimes = 10
const paragraphs = 20_000
const paragraphLetters = 68
const begin = Date.UTC(2021, 0, 1)
const end = Date.UTC(2026, 10, 1)
const day = 24 * 60 * 60_000

/** Streams the rows of one table by COPY. */
class Rows {
  private readonly client: pg.Client
  private readonly stream: ReturnType<typeof copy.from> & NodeJS.WritableStream
  private buffer: string[] = []

  private constructor(client: pg.Client, stream: Rows['stream']) {
    this.client = client
    this.stream = stream
  }

  static async into(target: DatabaseTarget, table: string, columns: string): Promise<Rows> {
    const client = new pg.Client(connectionOf(target))
    await client.connect()
    // Disables foreign keys and triggers: the generated data is consistent.
    await client.query('set session_replication_role = replica')
    return new Rows(client, client.query(copy.from(`copy ${table} (${columns}) from stdin`)))
  }

  async add(...values: (string | number | boolean | null)[]): Promise<void> {
    const fields = values.map((value) => (value === null ? '\\N' : String(value).replaceAll('\n', '\\n')))
    this.buffer.push(`${fields.join('\t')}\n`)
    if (this.buffer.length >= 1000) await this.flush()
  }

  async end(): Promise<void> {
    await this.flush()
    const finished = once(this.stream, 'finish')
    this.stream.end()
    await finished
    await this.client.end()
  }

  private async flush(): Promise<void> {
    const text = this.buffer.join('')
    this.buffer = []
    if (!this.stream.write(text)) await once(this.stream, 'drain')
  }
}

interface Library {
  readonly id: number
  readonly weight: number
  readonly accounts: readonly number[]
  readonly folders: Folder[]
  items: number
}

interface Folder {
  readonly id: number
  readonly depth: number
  readonly library: Library
  children: number
}

/** Fills the installation; reports progress to `log`. */
export async function generate(target: DatabaseTarget, size: Size, log: (line: string) => void): Promise<Installation> {
  const client = new pg.Client(connectionOf(target))
  await client.connect()
  const one = async (text: string): Promise<number> =>
    Number((await client.query<{ n: string }>(`select (${text}) as n`)).rows[0]?.n ?? 0)
  const next = random(20_261_120)
  const names = vocabulary(Math.min(100_000, Math.max(2000, Math.floor(size.items / 20))), next)
  log('vocabulary made')

  const company = await one('select id from org_group where parent_id is null')
  const admin = await one(`select id from account where account_key = 'admin'`)
  const firstGroup = (await one('select max(id) from org_group')) + 1
  const firstAccount = (await one('select max(id) from account')) + 1
  const companyLibrary = await one(`select id from library where kind = 'company'`)
  // Otherwise everybody would see all items.
  await client.query('delete from entry')
  let nextItem = (await one('select max(id) from item')) + 1
  const passwordHash = await hashPassword('Bench#2026')

  const groups = await Rows.into(target, 'org_group', 'id, parent_id, name, name_key, name_sort, search_text')
  for (let n = 0; n < size.departments; n += 1) {
    const keys = nameOf(names.stem(), n, '')
    const parent = n < 20 ? company : firstGroup + (n < 200 ? n % 20 : Math.floor(n / 20))
    await groups.add(firstGroup + n, parent, keys.name, keys.key, keys.sort, keys.text)
  }
  await groups.end()

  // The first three people have no department: they see everything, a hundredth, and nothing.
  const special = ['everything', 'hundredth', 'nothing'] as const
  const members = Array.from({ length: size.departments }, (): number[] => [])
  const accounts = await Rows.into(
    target,
    'account',
    'id, account, account_key, name, name_sort, search_text, password_hash, group_id, created_at',
  )
  for (let n = 0; n < size.people; n += 1) {
    const account = special[n] ?? `u${n}`
    const keys = nameOf(names.stem(), n, '')
    const department = Math.floor((size.departments - 1) * next() ** 2)
    if (n >= special.length) members[department]?.push(firstAccount + n)
    const text = `${account}\n${keys.text}`
    const group = n < special.length ? company : firstGroup + department
    await accounts.add(...[firstAccount + n, account, account, keys.name, keys.sort, text, passwordHash, group, begin])
  }
  await accounts.end()
  log('people made')

  const drop = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes i
    where tablename in ('item', 'version', 'search_item', 'search_document') and schemaname = current_schema()
      and not exists (select 1 from pg_constraint where conname = i.indexname)`)
  for (const { name } of drop.rows) await client.query(`drop index ${name}`)

  const items = await Rows.into(
    target,
    'item',
    `id, library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext, created_by, created_at, modified_by,
     modified_at, version, size, own_rules`,
  )
  const versions = await Rows.into(target, 'version', 'item_id, number, blob_id, size, created_by, created_at')
  const indexed = await Rows.into(
    target,
    'search_item',
    'item_id, number, library_id, parent_id, modified_at, text, signs',
  )
  const documents = await Rows.into(target, 'search_document', 'item_id, number, blob_id, name, raw, signs')
  const entries = await Rows.into(
    target,
    'entry',
    'item_id, subject_type, subject_id, rights, kind, created_by, created_at',
  )
  const blobs = await Rows.into(target, 'blob', 'id, sha256, size, key, created_at')
  const firstBlob = (await one('select coalesce(max(id), 0) from blob')) + 1
  const blobSizes = Array.from({ length: 1000 }, () => Math.floor(1000 + next() ** 4 * 50_000_000))
  // The text of a content is a few names.
  const blobWords: number[][] = []
  const texts = await Rows.into(target, 'content_text', 'blob_id, kind, readers, sections, text')
  const fill = async (n: number, text: string): Promise<void> => {
    const id = firstBlob + n
    await texts.add(id, 'text', 1, JSON.stringify([{ kind: 'whole', name: '', text }]), text)
    const bytes = blobSizes[n % blobSizes.length] ?? 0
    await blobs.add(id, `\\\\x${String(n).padStart(64, '0')}`, bytes, `generated/${n}`, begin)
  }
  const few = (): string => Array.from({ length: 6 }, () => folded(names.stem().name)).join(' ')
  for (const n of size.letters === undefined ? blobSizes.keys() : []) {
    const text = few()
    await fill(n, text)
    blobWords.push([...grams(text)])
  }
  // A text is composed of prepared paragraphs whose index tokens (signs) are known: generating it letter by letter
  // would dominate the run time.
  const prose = size.letters === undefined ? () => '' : proseOf(names, next)
  const known = Array.from({ length: size.letters === undefined ? 0 : paragraphs }, () => {
    const text = folded(prose(paragraphLetters))
    return { text, signs: [...grams(text)] }
  })
  const written = async (n: number, letters: number): Promise<number[]> => {
    const chosen = Array.from(
      { length: Math.ceil(letters / paragraphLetters) },
      () => known[Math.floor(next() * known.length)] as { text: string; signs: number[] },
    )
    await fill(n, chosen.map(({ text }) => text).join('。'))
    return chosen.flatMap(({ signs }) => signs)
  }
  let filled = 0
  /** The content of a new file: its id, size and the index tokens of its text. */
  const contentOf = async (): Promise<{ id: number; bytes: number; signs: readonly number[] }> => {
    const n = size.letters === undefined ? Math.floor(next() * blobSizes.length) : filled++
    const signs = size.letters === undefined ? blobWords[n] : await written(n, size.letters)
    return { id: firstBlob + n, bytes: blobSizes[n % blobSizes.length] ?? 0, signs: signs ?? [] }
  }

  let number = await one(`select value from stamp where name = 'search'`)
  const usage = new Map<string, { library: number; account: number; bytes: number }>()
  const put = async (
    library: Library,
    parent: Folder | undefined,
    what: { stem: Stem; ext: string; number: number; ownRules?: boolean; at: number },
  ): Promise<number> => {
    const id = nextItem
    nextItem += 1
    number += 1
    const isFolder = what.ext === ''
    const libraryId = parent === undefined ? id : library.id
    const keys = nameOf(what.stem, what.number, what.ext)
    const content = isFolder ? undefined : await contentOf()
    // Folders also draw a random number, so that the generated data of a size never changes: plans are compared across
    // versions.
    if (isFolder && size.letters === undefined) next()
    const bytes = content?.bytes ?? 0
    const account = library.accounts[Math.floor(next() * library.accounts.length)] ?? admin
    await items.add(
      ...[id, libraryId, parent?.id ?? null, isFolder ? 2 : 1, keys.name, keys.key, keys.sort, keys.text, keys.ext],
      ...[account, what.at, account, what.at, isFolder ? 0 : 1, bytes, what.ownRules ?? false],
    )
    const found = new Set([...keys.words, ...fitSigns(keys.text)])
    const signs = signsOf(found, { id, libraryId: libraryId, parentId: parent?.id ?? null, isFolder, number })
    await indexed.add(id, number, libraryId, parent?.id ?? null, what.at, keys.text, `{${signs.join(',')}}`)
    const own = { id, number, library_id: libraryId, parent_id: parent?.id ?? null, f_type: isFolder ? 2 : 1 } as const
    const ofName = documentSigns(
      { ...own, modified_at: what.at, text: keys.text, ext: keys.ext, size: bytes },
      folded(keys.text),
    )
    const all = new Set([...ofName, ...(content?.signs ?? [])])
    await documents.add(id, number, content?.id ?? null, folded(keys.text), null, `{${[...all].join(',')}}`)
    if (content !== undefined) {
      await versions.add(id, 1, content.id, bytes, account, what.at)
      const key = `${library.id} ${account}`
      const sum = usage.get(key) ?? { library: library.id, account, bytes: 0 }
      sum.bytes += bytes
      usage.set(key, sum)
    }
    if (parent !== undefined) parent.children += 1
    return id
  }
  const grants = { left: size.grants, given: new Set<string>() }
  const grant = async (
    itemId: number,
    type: 'user' | 'group' | 'role',
    subject: number,
    mask: number,
  ): Promise<void> => {
    const given = `${itemId} ${type} ${subject}`
    if (grants.left === 0 || grants.given.has(given)) return
    grants.left -= 1
    grants.given.add(given)
    await entries.add(itemId, type, subject, mask, 'independent', admin, begin)
  }

  // Libraries: the company's, one per department, one per person. A role sees all of them.
  const folders: Folder[] = []
  const role = await client.query<{ id: number }>(
    `insert into role (name, name_key, search_text) values ('审计', '审计', $1) returning id`,
    [textKeys('审计').text],
  )
  const roleId = role.rows[0]?.id ?? 0
  await client.query('insert into role_account values ($1, $2)', [roleId, firstAccount])
  const seesAll = async (itemId: number): Promise<void> => grant(itemId, 'role', roleId, rightsGroup.download)
  const rows = await Rows.into(target, 'library', 'id, kind, owner_id, group_id')
  const libraries: Library[] = []
  const open = async (weight: number, accounts: readonly number[], id: number): Promise<Library> => {
    const library: Library = { id, weight, accounts, folders: [], items: 0 }
    const root: Folder = { id, depth: 0, library, children: 0 }
    library.folders.push(root)
    folders.push(root)
    libraries.push(library)
    await seesAll(id)
    return library
  }
  const everybody = members.flat()
  const companys = await open(0.3, everybody, companyLibrary)
  for (let n = 0; n < size.departments; n += 1) {
    const accounts = members[n] ?? []
    const share = (0.45 * 0.3 * (n / size.departments + 1 / size.departments) ** -0.7) / size.departments
    const id = await put({ ...companys, accounts: [admin] }, undefined, {
      stem: names.stem(),
      ext: '',
      number: n,
      ownRules: true,
      at: begin,
    })
    await rows.add(id, 'department', null, firstGroup + n)
    await open(share, accounts.length === 0 ? [admin] : accounts, id)
    await grant(id, 'group', firstGroup + n, rightsGroup.edit)
  }
  for (let n = 0; n < size.people; n += 1) {
    const owner = firstAccount + n
    const share = n < special.length ? 0 : (0.25 * 0.5 * ((n + 1) / size.people) ** -0.5) / size.people
    const id = await put({ ...companys, accounts: [owner] }, undefined, {
      stem: names.stem(),
      ext: '',
      number: n,
      ownRules: true,
      at: begin,
    })
    await rows.add(id, 'personal', owner, null)
    await open(share, [owner], id)
  }
  await rows.end()
  log('libraries made')

  // The person who sees a hundredth gets grants on departments that hold about that share in total.
  const total = libraries.reduce((sum, library) => sum + library.weight, 0)
  let share = 0
  for (const library of libraries.slice(1 + Math.floor(size.departments / 10), size.departments)) {
    if (share >= total / 100) break
    share += library.weight
    await grant(library.id, 'user', firstAccount + 1, rightsGroup.download)
  }

  const upTo = nextItem + size.items
  const timeOf = (id: number): number => Math.floor(end - ((upTo - id) / size.items) * (end - begin - day))
  const fresh = async (library: Library, parent: Folder): Promise<Folder> => {
    const ownRules = grants.left > 0 && next() < (grants.left * 20) / Math.max(upTo - nextItem, 1)
    const what = { stem: names.stem(), ext: '', number: parent.children, ownRules, at: timeOf(nextItem) }
    const folder: Folder = { id: await put(library, parent, what), depth: parent.depth + 1, library, children: 0 }
    library.items += 1
    library.folders.push(folder)
    folders.push(folder)
    if (ownRules) {
      const who = everybody[Math.floor(next() * everybody.length)] ?? admin
      const group = firstGroup + Math.floor(next() * (size.departments - 1))
      if (next() < 0.7) await grant(folder.id, 'user', who, rightsGroup.preview)
      else await grant(folder.id, 'group', group, rightsGroup.download)
    }
    return folder
  }
  const wanted: { folder: Folder; left: number }[] = []
  for (const count of folderSizes.filter((each) => each <= size.items / 10)) {
    wanted.push({ folder: await fresh(companys, companys.folders[0] as Folder), left: count })
  }
  const special100 = Object.fromEntries(wanted.map(({ folder, left }) => [left, folder.id]))
  let ends = 0
  const cumulated = libraries.map((library) => (ends += library.weight))
  const libraryAt = (place: number): Library => {
    let low = 0
    let high = cumulated.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulated[middle] ?? 0) < place) low = middle + 1
      else high = middle
    }
    return libraries[low] as Library
  }
  const rare = rareWords.flatMap((word) => Array.from({ length: rareTimes }, () => word))
  const rareEvery = Math.floor(size.items / (rare.length + 1))
  let rareAt = nextItem + rareEvery
  const started = performance.now()
  let told = 0
  let fileId = 0
  while (nextItem < upTo) {
    const missing = wanted.reduce((sum, { left }) => sum + left, 0)
    let folder: Folder
    let burst = 1 + Math.floor(next() * 30)
    if (next() < missing / (upTo - nextItem)) {
      const place = wanted.find(({ left }) => left > 0 && next() < Math.max(left / missing, 0.01))
      if (place === undefined) continue
      folder = place.folder
      burst = Math.min(burst, place.left)
      place.left -= burst
      if (folder === wanted.at(-1)?.folder) fileId = nextItem
    } else {
      const library = libraryAt(next() * ends)
      const known = library.folders
      const fixed = library === companys ? wanted.length + 1 : 1
      const isCrowded = known.length - fixed < library.items / 25
      const among = Math.floor(fixed + (known.length - fixed) * (1 - next() ** 2))
      const some = known.length === fixed ? (known[0] as Folder) : (known[Math.min(among, known.length - 1)] as Folder)
      folder =
        isCrowded || known.length === fixed ? await fresh(library, some.depth < 8 ? some : (known[0] as Folder)) : some
      library.items += burst
    }
    for (let n = 0; n < burst && nextItem < upTo; n += 1) {
      const isRare = rare.length > 0 && nextItem >= rareAt
      if (isRare) rareAt += rareEvery
      const stem = isRare ? names.rare(rare.pop() ?? '') : names.stem()
      await put(folder.library, folder, {
        stem,
        ext: names.extension(),
        number: folder.children,
        at: timeOf(nextItem),
      })
    }
    if (nextItem - told >= 500_000) {
      told = nextItem
      log(`${nextItem} items, ${Math.round((performance.now() - started) / 1000)} s`)
    }
  }
  while (grants.left > 0) {
    const place = folders[Math.floor(next() * folders.length)] as Folder
    await grant(place.id, 'user', everybody[Math.floor(next() * everybody.length)] ?? admin, rightsGroup.preview)
  }
  await Promise.all([items.end(), versions.end(), indexed.end(), documents.end(), blobs.end(), texts.end()])
  await entries.end()
  log('items made')

  const totals = await Rows.into(target, 'child_total', 'folder_id, children')
  for (const { id, children } of folders) if (children > 0) await totals.add(id, children)
  await totals.end()
  const usages = await Rows.into(target, 'usage_total', 'library_id, account_id, bytes')
  for (const { library, account, bytes } of usage.values()) await usages.add(library, account, bytes)
  await usages.end()
  await client.query(`
    update item set own_rules = true where not own_rules and id in (select item_id from entry);
    update stamp set value = ${number} where name = 'search';
    insert into stamp values ('search documents', ${backfillDone}) on conflict (name) do update set value = excluded.value;
    insert into stamp values ('search sizes', ${backfillDone}) on conflict (name) do update set value = excluded.value;
    insert into stamp values ('search signs', ${backfillDone}) on conflict (name) do update set value = excluded.value;
    select setval(pg_get_serial_sequence('item', 'id'), ${nextItem}),
      setval(pg_get_serial_sequence('account', 'id'), ${firstAccount + size.people}),
      setval(pg_get_serial_sequence('org_group', 'id'), ${firstGroup + size.departments}),
      setval(pg_get_serial_sequence('blob', 'id'), ${firstBlob + Math.max(filled, blobSizes.length)});`)
  for (const { name, definition } of drop.rows) {
    await client.query(definition)
    log(`index ${name}`)
  }
  await client.query('vacuum (analyze)')
  await client.end()
  const [everything, hundredth, nothing] = special
  return { everything, hundredth, nothing, companyLibrary, folders: special100, fileId }
}
