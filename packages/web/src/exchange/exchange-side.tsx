// The details of the focused exchange beside the list.
import type { FileExchange, FileExchangeDetail } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { Button } from '../kit/button.tsx'
import { StatusChip } from '../kit/chips.tsx'
import { Open16Regular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { pickUp, stateOf, titleOf, tryChange } from './exchange-common.ts'
import { ExchangeFiles, Road } from './exchange-parts.tsx'
import { detailQuery } from './exchange-queries.ts'

interface ExchangeSideProps {
  readonly exchange: FileExchange
  readonly onOpen: (one: FileExchange) => void
}

export function ExchangeSide({ exchange, onOpen }: ExchangeSideProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { data, error } = useQuery(detailQuery(exchange))
  const { text, tone } = stateOf(exchange)
  return (
    <aside className="ex-aside" aria-label={t('exchange.road')}>
      <div className="ex-aside-body">
        <header>
          <h3>{titleOf(exchange)}</h3>
          <StatusChip tone={tone}>{text}</StatusChip>
        </header>
        <small>
          {t('exchange.asked', {
            name: exchange.name,
            number: exchange.number,
            time: shortTime(exchange.createTime, now, locale),
          })}
        </small>
        {exchange.applyComment !== '' && <q>{exchange.applyComment}</q>}
        {data === undefined ? (
          error === null ? (
            <Spinner label={t('exchange.loading')} />
          ) : (
            <p role="alert">{error.message}</p>
          )
        ) : (
          <Loaded detail={data} />
        )}
      </div>
      <footer>
        <Button kind="ghost" icon={<Open16Regular />} onClick={() => onOpen(exchange)}>
          {t('exchange.openWindow')}
        </Button>
        {data?.may.pickUp === true && (
          <Button kind="primary" onClick={() => void tryChange(() => pickUp(exchange.approveId, exchange.name), '')}>
            {t(data.requirePwd ? 'exchange.pickUp.password' : 'exchange.pickUp')}
          </Button>
        )}
      </footer>
    </aside>
  )
}

const Loaded = ({ detail }: { readonly detail: FileExchangeDetail }): ReactNode => (
  <>
    <ExchangeFiles files={detail.files} />
    <Road detail={detail} isUpright />
  </>
)
