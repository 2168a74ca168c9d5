// A desktop LibreOffice, for tests of whether it can open our files: it converts files to PDF. Also provides the
// templates that come with it, in office formats.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { findOffice } from '../src/core/confined/office.ts'

/** Makes LibreOffice read texts as numbers and days as a Chinese installation does. */
const inChina =
  '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>zh-CN</value></prop></item><item oor:path="/org.openoffice.Office.Calc/Formula/Syntax"><prop oor:name="StringConversion" oor:op="fuse"><value>3</value></prop></item>'

/** Makes LibreOffice recalculate the formulas of workbooks, whatever values the file has stored. */
const settings = (more: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>${more}</oor:items>`

const office = (): string => {
  const soffice = findOffice(undefined)
  expect(soffice, 'npm run test:full installs it').toBeDefined()
  return soffice ?? ''
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-opened-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Converts files to another format, in order. */
async function converted(folder: string, paths: readonly string[], format: string, more = ''): Promise<Buffer[]> {
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
  await mkdir(join(folder, 'profile/user'), { recursive: true })
  await writeFile(join(folder, 'profile/user/registrymodifications.xcu'), settings(more))
  const made = join(folder, 'made')
  await promisify(execFile)(office(), [profile, '--headless', '--convert-to', format, '--outdir', made, ...paths])
  return Promise.all(paths.map((path) => readFile(join(made, `${basename(path, extname(path))}.${format}`))))
}

/** LibreOffice's conversion of files, PDF by default, in order. */
export function openedByOffice(
  files: readonly { readonly ext: string; readonly bytes: Uint8Array }[],
  as: 'pdf' | 'xlsx' | 'odp' = 'pdf',
): Promise<Buffer[]> {
  return inFolder(async (folder) => {
    const paths = await Promise.all(
      files.map(async ({ ext, bytes }, n) => {
        const path = join(folder, `${n}.${ext}`)
        await writeFile(path, bytes)
        return path
      }),
    )
    return converted(folder, paths, as)
  })
}

/** A workbook with all its formulas computed by a Chinese LibreOffice. */
export function computedByOffice(workbook: Uint8Array): Promise<Uint8Array> {
  return inFolder(async (folder) => {
    const path = join(folder, 'formulas.xlsx')
    await writeFile(path, workbook)
    const [made] = await converted(folder, [path], 'xlsx', inChina)
    return new Uint8Array(made ?? Buffer.of())
  })
}

export interface Template {
  readonly name: string
  readonly ext: string
  readonly bytes: Uint8Array
}

const formats = [
  { from: '.ott', ext: 'docx' },
  { from: '.otp', ext: 'pptx' },
] as const

/** Letters, agendas, reports and slides that come with LibreOffice, one in `each`, saved by it in office formats. */
export function officeTemplates(each: number): Promise<Template[]> {
  return inFolder(async (folder) => {
    const root = join(dirname(await realpath(office())), '../share/template')
    const found = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const all: Template[] = []
    for (const { from, ext } of formats) {
      const named = new Map(
        found
          .filter(({ name }) => extname(name) === from)
          .toSorted((one, other) => (one.name < other.name ? -1 : 1))
          .filter((_, n) => n % each === 0)
          .map(({ name, parentPath }) => [name, join(parentPath, name)] as const),
      )
      const made = await converted(folder, [...named.values()], ext)
      all.push(...[...named.keys()].map((name, n) => ({ name, ext, bytes: new Uint8Array(made[n] ?? Buffer.of()) })))
    }
    return all
  })
}
