// What the file of an import contains: its rows, its columns, and the departments to create.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Checkbox } from '../../kit/fields.tsx'
import type { PeopleSheet } from './sheet.ts'
import type { CheckedRows } from './use-checked-rows.ts'

interface SummaryProps {
  readonly sheet: PeopleSheet
  readonly rows: CheckedRows
}

export function ImportSummary({ sheet, rows }: SummaryProps): ReactNode {
  const t = useT()
  const { checked, count, offered, newGroups, setNewGroups, allowGroup } = rows
  return (
    <aside className="or-import-side">
      <h2>{t('org.import.file')}</h2>
      <dl>
        <dt>{t('org.import.rows')}</dt>
        <dd>{t('org.import.rows.n', { n: rows.rows.length })}</dd>
        <dt>{t('org.import.new')}</dt>
        <dd>{t('org.count', { n: count('new') })}</dd>
        <dt>{t('org.import.update')}</dt>
        <dd>{t('org.count', { n: count('update') })}</dd>
        <dt>{t('org.import.same')}</dt>
        <dd>{t('org.count', { n: count('same') })}</dd>
      </dl>
      {checked !== undefined && checked.over > 0 && (
        <p className="k-problem" role="alert">
          {t('org.import.over', { n: checked.over })}
        </p>
      )}
      <h2>{t('org.import.columns')}</h2>
      <p className="or-columns-of">
        {sheet.columns
          .filter(({ header }) => header !== '')
          .map(({ header, column }) => {
            const name = column === undefined ? t('org.import.left') : t(`org.sheet.column.${column}`)
            return name === header ? header : `${header} → ${name}`
          })
          .join('，')}
      </p>
      {offered.length > 0 && (
        <>
          <h2>{t('org.import.groups')}</h2>
          <Checkbox
            label={t('org.import.allGroups', { n: offered.length })}
            checked={offered.every((path) => newGroups.includes(path))}
            onChange={({ target }) => setNewGroups(target.checked ? offered : [])}
          />
          <ul className="or-checks">
            {offered.slice(0, 200).map((path) => (
              <li key={path}>
                <Checkbox
                  label={path}
                  checked={newGroups.includes(path)}
                  onChange={({ target }) => allowGroup(path, target.checked)}
                />
              </li>
            ))}
          </ul>
          <p className="k-help">{t('org.import.groupsMore')}</p>
        </>
      )}
    </aside>
  )
}
