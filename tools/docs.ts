// Writes the generated pages of docs: npm run docs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACCEPTANCE_PAGE, acceptancePage } from './acceptance.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, ACCEPTANCE_PAGE), acceptancePage(root))
