// Writes the generated pages of docs: npm run docs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCEPTANCE_PAGE, acceptancePage } from './acceptance.ts'
import { ADR_INDEX, adrIndex } from './adr-index.ts'
import { SETTINGS_PAGE, settingsPage } from './settings-table.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, ACCEPTANCE_PAGE), acceptancePage(root))
writeFileSync(join(root, ADR_INDEX), adrIndex(root))
writeFileSync(join(root, SETTINGS_PAGE), settingsPage(root))
