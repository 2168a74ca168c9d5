/*
 * The table of server settings: for each its screen, what reads it, and the test in which it changes what the server or
 * a page does. A test is found by the call that gives the setting a value; the title is that of the test around it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { administered, defaultInstallation, flatSettings, type SettingPlace } from '@cloudoc/contract'

export const SETTINGS_PAGE = 'docs/settings.md'

const sources = [
  'packages/server/src',
  'packages/web/src',
  'packages/control/src',
  'packages/domain/src',
  'packages/contract/src',
]
const tests = [
  'packages/server/src',
  'packages/server/test',
  'packages/web/src',
  'packages/control/src',
  'packages/contract/src',
  'e2e/journeys',
]
const testFile = /\.test\.tsx?$/
const sourceFile = /\.tsx?$/
/** Files that name all settings without using one. */
const lists = /\/(texts\.\w+|setting-labels|samples?|fixture|tables)\.tsx?$/

export interface SettingUse {
  readonly name: string
  readonly place: SettingPlace | undefined
  /** Files of the product that name it. */
  readonly readBy: readonly string[]
  /** The test that gives it a value. */
  readonly test: { readonly file: string; readonly title: string } | undefined
}

interface Text {
  readonly file: string
  readonly text: string
}

function filesBelow(root: string, folder: string, wanted: (file: string) => boolean): Text[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const found = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const file = relative(root, path).replaceAll('\\', '/')
    return entry.isFile() && wanted(file) ? [{ file, text: readFileSync(path, 'utf8') }] : []
  })
  return found.toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

/** The lines of a contract that declare settings; they do not read them. */
const declarations = /^\s*(?:readonly )?\w+: (?:z\.|\{$|string\[\]|formatSetting).*$/gm
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

const testTitle = /(?:\b(?:test|it|longTest)(?:\.\w+)*(?:\([^'"`]*\))?|^ *\](?: as const)?\))\(\s*(['"`])([\s\S]*?)\1/gm

/** The title of the test around a position; of what stands outside tests, that of the next one, which uses it. */
function titleAt(text: string, at: number): string | undefined {
  const titles = [...text.matchAll(testTitle)]
  const before = titles.findLast(({ index }) => index < at)
  const around = before !== undefined && !hasEnded(text, before.index, at) ? before : undefined
  const title = around ?? titles.find(({ index }) => index > at) ?? before
  return title?.[2]?.replace(/\s+/g, ' ')
}

/** Whether the statement that begins at one position has ended before another: a line as far in as its first closes it. */
function hasEnded(text: string, from: number, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', from) + 1)
  const indent = line.length - line.trimStart().length
  return new RegExp(`\\n {${indent}}\\}?\\)\\n`).test(text.slice(from, at))
}

/**
 * What gives settings values in a test: the calls that set them, and the session that a page reads. Helpers of tests
 * count in the files in which they make those calls.
 */
const setting =
  /\b(?:setServerSetting|setSafeStrategy|settings(?=\(\{))|\.\.\.(?:\w+\??\.)*(?:setting|serverSetting|defaultSetting)\b/g
const helper = /\bset(?=\(\{)|\bwithout(?=\(')/g
const makesCalls = /\b(?:setServerSetting|setSafeStrategy)\b|\bActionContext\['settings'\]/
const givenWithin = 400

/** Of settings that have a call of their own, that call; of those that the server computes, what a test reads. */
const givenBy: Readonly<Record<string, RegExp>> = {
  GL: /\bsetting\.GL\b/,
  access_rules: /'setAccessRules'/,
  account_limit: /'setAccountLimit'/,
  company_logo: /'setCompanyLogo'/,
  features_off: /'setFeature'/,
  licences: /'installLicence', \{ licence: issuer\.issue\(time\.now\(\), \{ scope/,
  makes_pdf: /'makes_pdf'/,
  preview_format: /'preview_format'/,
  setup_done: /'setSetup', \{ done/,
  setup_open: /'setSetup', \{ finish/,
  setup_skipped: /'setSetup', \{ skip/,
}

interface Found {
  readonly file: string
  readonly title: string
}

/** Tests of settings as such, whichever they are; what one of them changes is tested elsewhere. */
const ofAnySetting = /\/(?:settings|reactions)\.test\.ts$/

/** The tests in which each of the words is given a value, in the order of the files. */
function givenIn(words: ReadonlySet<string>, files: readonly Text[]): Map<string, Found[]> {
  const found = new Map<string, Found[]>()
  const add = (word: string, { file, text }: Text, at: number): void => {
    const title = titleAt(text, at)
    if (title !== undefined) found.set(word, [...(found.get(word) ?? []), { file, title }])
  }
  for (const one of files) {
    if (ofAnySetting.test(one.file)) continue
    const helped = makesCalls.test(one.text) ? [...one.text.matchAll(helper)] : []
    for (const { index } of [...one.text.matchAll(setting), ...helped]) {
      const [call = ''] = one.text.slice(index, index + givenWithin).split(/\n\s*\n|\)\n/, 1)
      for (const [word] of call.matchAll(/\b[A-Za-z]\w*\b(?=[,:']|\s*\})/g)) if (words.has(word)) add(word, one, index)
    }
    for (const [word, by] of Object.entries(givenBy)) {
      const at = one.text.search(by)
      if (at >= 0) add(word, one, at)
    }
  }
  return found
}

/** The test that says most of a setting: one that names it, else one whose title is no template, else any. */
const best = (name: string, found: readonly Found[]): Found | undefined =>
  found.find(({ title }) => new RegExp(`\\b${name}\\b`).test(title)) ??
  found.find(({ title }) => !/%s|\$/.test(title)) ??
  found[0]

/** A column of a table, which may bear the name of a setting. */
const column = /\brow\.\w+/g

/** The files in which each of the words occurs; those first that take it from the settings. */
function filesOf(words: ReadonlySet<string>, files: readonly Text[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const add = (word: string, file: string): void => {
    const of = found.get(word) ?? new Set<string>()
    found.set(word, of.add(file))
  }
  for (const { file, text } of files)
    for (const [, word = ''] of text.matchAll(/\b(?:setting|settings|inner|now|company)\.([A-Za-z]\w*)\b/g))
      if (words.has(word)) add(word, file)
  for (const { file, text } of files)
    for (const [word] of text.replace(column, '').matchAll(/\b[A-Za-z]\w*\b/g)) if (words.has(word)) add(word, file)
  return new Map([...found].map(([word, of]) => [word, [...of]]))
}

/** The uses of all settings, by name. */
export function settingUses(root: string): SettingUse[] {
  const names = Object.keys(flatSettings(defaultInstallation)).toSorted()
  const read = sources
    .flatMap((folder) =>
      filesBelow(root, folder, (file) => sourceFile.test(file) && !testFile.test(file) && !lists.test(file)),
    )
    .map(({ file, text }) => {
      const plain = withoutComments(text)
      return { file, text: file.startsWith('packages/contract/') ? plain.replace(declarations, '') : plain }
    })
  const tried = tests.flatMap((folder) => filesBelow(root, folder, (file) => testFile.test(file)))
  const readers = filesOf(new Set(names), read)
  const testers = givenIn(new Set(names), tried)
  const places: Readonly<Record<string, SettingPlace | undefined>> = administered
  return names.map((name) => ({
    name,
    place: places[name],
    readBy: readers.get(name) ?? [],
    test: best(name, testers.get(name) ?? []),
  }))
}

/** The address of the page on which a setting is changed. */
function screenOf(place: SettingPlace | undefined): string {
  if (place === undefined) return 'set by a page of its own, or by the server'
  return place.power === 'security' ? '/doc/admin/safety' : '/doc/admin/settings'
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The text of docs/settings.md. */
export function settingsPage(root: string, uses = settingUses(root)): string {
  const rows = uses.map(({ name, place, readBy, test }) => {
    const screen = place === undefined ? screenOf(place) : `${screenOf(place)}, ${place.group}`
    const tried = test === undefined ? 'none yet' : `${test.file}: ${cell(test.title)}`
    return `| \`${name}\` | ${cell(place?.label.en ?? '')} | ${screen} | ${readBy[0] ?? 'nothing'} | ${tried} |`
  })
  return `# Settings

Generated by \`npm run docs\`; do not edit. Each setting of an installation: the page on which administrators change it with its group there, a file that reads it, and a test that gives it a value. A test fails when nothing reads a setting, or when no test gives one a value (\`tools/settings-table.test.ts\`).

| setting | name | screen | read by | test |
|---|---|---|---|---|
${rows.join('\n')}
`
}
