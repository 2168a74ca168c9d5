// LibreOffice as somebody has it on their desk, for tests of what it opens: it makes PDF of files.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { findOffice } from '../src/core/office.ts'

/** So that the formulas of workbooks are computed, whatever stands in the file. */
const computing = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`

/** What LibreOffice makes of files, mostly as PDF, in their order. */
export async function openedByOffice(
  files: readonly { readonly ext: string; readonly bytes: Uint8Array }[],
  as: 'pdf' | 'xlsx' = 'pdf',
): Promise<Buffer[]> {
  const soffice = findOffice(undefined)
  expect(soffice, 'npm run test:full installs it').toBeDefined()
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-opened-'))
  try {
    const paths = await Promise.all(
      files.map(async ({ ext, bytes }, n) => {
        const path = join(folder, `${n}.${ext}`)
        await writeFile(path, bytes)
        return path
      }),
    )
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
    await mkdir(join(folder, 'profile/user'), { recursive: true })
    await writeFile(join(folder, 'profile/user/registrymodifications.xcu'), computing)
    const made = join(folder, 'made')
    const order = ['--headless', '--convert-to', as, '--outdir', made]
    await promisify(execFile)(soffice ?? '', [profile, ...order, ...paths])
    return await Promise.all(files.map((_, n) => readFile(join(made, `${n}.${as}`))))
  } finally {
    await rm(folder, { recursive: true })
  }
}
