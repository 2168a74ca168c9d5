// The import template, and an export of all users in the same format.
import { sheetColumns } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { saveTable } from './files.ts'

/** The column headings. */
export const headers = (): string[] => sheetColumns.map((column) => t(`org.sheet.column.${column}`))

export async function saveTemplate(): Promise<void> {
  await saveTable(`${t('org.template.name')}.xlsx`, [headers()], {
    sheet: t('org.people'),
    notes: { sheet: t('org.template.notes'), lines: t('org.template.text').split('\n') },
  })
}

/** Exports all users to a file, page by page. */
export async function exportPeople(kind: 'xlsx' | 'csv'): Promise<void> {
  const table = [headers()]
  const key = 'organisation-export'
  for (let after = 0, more = true; more; more = after !== 0) {
    const page = await api.getPeopleSheet({ after, offset: new Date().getTimezoneOffset() })
    table.push(...page.rows)
    after = page.after
    if (after !== 0) toast({ key, text: t('org.export.going', { n: table.length - 1 }) })
  }
  await saveTable(`${t('org.export.name')}.${kind}`, table, { sheet: t('org.people') })
  toast({ key, kind: 'success', text: t('org.export.done', { n: table.length - 1 }) })
}
