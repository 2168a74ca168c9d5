// editor-plugin-updater ([R082], [R372]): the editing program is missing or old, or this system cannot have it.
import { isOlderVersion } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { Download } from './client-list.tsx'
import { processorOf, systemOf } from './computer.ts'
import './clients.css'
import './texts.ts'

export interface PluginUpdaterProps {
  /** The version on this computer; empty if none answered. */
  readonly current: string
}

export function PluginUpdater({ current, close }: WindowProps<PluginUpdaterProps>): ReactNode {
  const t = useT()
  const sys = systemOf()
  const { data, error } = useQuery({
    queryKey: ['clients', 'plugin', sys, current],
    queryFn: () =>
      api.checkUpdate2(
        { type: 'editor', sys: sys ?? 'windows', cpu: processorOf(), version: current },
        { quiet: true },
      ),
    retry: false,
  })
  const program = sys === undefined ? undefined : (data?.program ?? undefined)
  const isOld = program !== undefined && isOlderVersion(current, program.version)
  const lead = (): readonly [string, string] => {
    if (sys === undefined) return [t('plugin.unsupported'), t('plugin.unsupportedMore')]
    if (current === '') return [t('plugin.missing'), program === undefined ? t('plugin.none') : t('plugin.missingMore')]
    if (isOld) return [t('plugin.old'), t('plugin.oldMore', { current, newest: program.version })]
    return [t('plugin.newest'), t('plugin.newestMore', { current })]
  }
  const [title, more] = lead()
  return (
    <>
      <DialogBody reading={t('plugin.title')}>
        {data === undefined && error === null && <Spinner />}
        {error !== null && <p role="alert">{error.message}</p>}
        {data !== undefined && (
          <>
            <b>{title}</b>
            <p className="cl-hint">{more}</p>
          </>
        )}
        {data !== undefined && sys === undefined && (
          <>
            {data.systems.length > 0 && (
              <table className="cl-systems">
                <thead>
                  <tr>
                    <th>{t('plugin.column.system')}</th>
                    <th>{t('plugin.column.cpu')}</th>
                    <th>{t('plugin.column.version')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.systems.map((one) => (
                    <tr key={`${one.sys}${one.cpu}`}>
                      <td>{t(`clients.system.${one.sys}`)}</td>
                      <td>{one.cpu}</td>
                      <td>{one.version}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <p>{t('plugin.online')}</p>
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button autoFocus onClick={() => close()}>
          {program !== undefined && isOld ? t('updater.later') : t('box.close')}
        </Button>
        {program !== undefined && isOld && (
          <Download packageId={program.packageId} name={program.name} isMain onStart={() => close()}>
            {current === '' ? t('plugin.install') : t('plugin.update')}
          </Download>
        )}
      </DialogFooter>
    </>
  )
}
