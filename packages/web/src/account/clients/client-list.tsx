// cloudoc-clients ([R350], [R373]): the programs for people's computers, with their downloads.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, streamUrl } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { processorOf, systemOf } from './computer.ts'
import './clients.css'
import './texts.ts'

type Program = Answer<typeof calls.getClientList>['list'][number]

export function ClientList({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: ['clients', 'list'],
    queryFn: () => api.getClientList({ list: 1 }, { quiet: true }),
    retry: false,
  })
  const list = data?.list ?? []
  const again = <Button onClick={() => void refetch()}>{t('clients.again')}</Button>
  const sums = (): string => list.map(({ sha256, name }) => `${sha256}  ${name}`).join('\n')
  return (
    <>
      <DialogBody>
        {data === undefined && error === null && <Spinner />}
        {error !== null && (
          <StatePage heading="h3" title={error.message}>
            {again}
          </StatePage>
        )}
        {data !== undefined && list.length === 0 && (
          <StatePage heading="h3" title={t('clients.none')} text={t('clients.noneMore')}>
            {again}
          </StatePage>
        )}
        {list.length > 0 && (
          <ul className="cl-list">
            {list.map((program) => (
              <ProgramLine key={program.packageId} program={program} />
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter>
        {list.length > 0 && (
          <>
            <span className="cl-hint cl-left">{t('clients.signed')}</span>
            <Button kind="link" onClick={() => void copyText(sums())}>
              {t('clients.sums')}
            </Button>
          </>
        )}
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

function ProgramLine({ program }: { readonly program: Program }): ReactNode {
  const t = useT()
  const { packageId, type, sys, cpu, version, name, size } = program
  const isHere = sys === systemOf() && cpu === processorOf()
  return (
    <li>
      <span className="cl-name">
        <b>
          {t(`clients.type.${type}`)} · {t(`clients.system.${sys}`)}
        </b>
        {isHere && <span className="cl-here">{t('clients.here')}</span>}
        <small>
          {cpu} · {name}
        </small>
      </span>
      <span className="cl-fact">{version}</span>
      <span className="cl-fact">{formatSize(size, 1)}</span>
      <Download packageId={packageId} name={name} isMain={isHere}>
        {t('clients.download')}
      </Download>
    </li>
  )
}

/** A link that downloads an installer. */
export function Download({
  packageId,
  name,
  isMain,
  onStart,
  children,
}: {
  readonly packageId: number
  readonly name: string
  readonly isMain: boolean
  readonly onStart?: () => void
  readonly children: ReactNode
}): ReactNode {
  const t = useT()
  return (
    <a
      className={isMain ? 'k-button is-primary is-small' : 'k-button is-small'}
      href={streamUrl('downloadClient', { packageId })}
      download={name}
      aria-label={t('clients.downloadOf', { name })}
      onClick={onStart}
    >
      {children}
    </a>
  )
}
