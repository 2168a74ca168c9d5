// app-updater ([R373], X1): whether there is a newer desktop client, what has changed, and its download.
import { formatSize, fullTime, isOlderVersion } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { version as built } from '../../core/page/version.ts'
import { offerVersion } from '../../core/session/local-state.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { Download } from './client-list.tsx'
import { processorOf, systemOf } from './computer.ts'
import './clients.css'
import './texts.ts'

export function AppUpdater({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const current = built.client
  const sys = systemOf() ?? 'windows'
  const { data, error, refetch } = useQuery({
    queryKey: ['clients', 'update', sys],
    queryFn: async () => {
      const found = await api.checkUpdate2(
        { type: 'client', sys, cpu: processorOf(), version: current },
        { quiet: true },
      )
      // What is offered stays known until it is installed or skipped ([R359]).
      offerVersion(found.outdated ? found.currentVersion : undefined)
      return found
    },
    retry: false,
  })
  const program = data?.program ?? undefined
  const isNew = program !== undefined && isOlderVersion(current, program.version)
  return (
    <>
      <DialogBody>
        {data === undefined && error === null && <Spinner />}
        {error !== null && <p role="alert">{error.message}</p>}
        {data !== undefined && !isNew && (
          <>
            <h3>{t('updater.newest')}</h3>
            <p className="cl-hint">{t('updater.newestMore', { current })}</p>
          </>
        )}
        {program !== undefined && isNew && (
          <>
            <h3>{t('updater.new', { version: program.version })}</h3>
            <p className="cl-hint">
              {t('updater.facts', {
                current,
                size: formatSize(program.size, 1),
                date: fullTime(program.createTime).slice(0, 10),
              })}
            </p>
            {program.notes !== '' && (
              <>
                <b>{t('updater.changes')}</b>
                <ul className="cl-changes">
                  {program.notes.split('\n').map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </>
            )}
            <p className="cl-note">{t('updater.keeps')}</p>
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {program !== undefined && isNew && (
          <Button
            kind="link"
            className="cl-left"
            onClick={() => {
              offerVersion(undefined)
              close()
            }}
          >
            {t('updater.skip')}
          </Button>
        )}
        {error !== null && <Button onClick={() => void refetch()}>{t('clients.again')}</Button>}
        <Button autoFocus onClick={() => close()}>
          {isNew ? t('updater.later') : t('box.close')}
        </Button>
        {program !== undefined && isNew && (
          <Download packageId={program.packageId} name={program.name} isMain onStart={() => close()}>
            {t('updater.get')}
          </Download>
        )}
      </DialogFooter>
    </>
  )
}
