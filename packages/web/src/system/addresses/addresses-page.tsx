// Addresses and certificates: under which addresses the server is reached, what browsers get there, and how to change it.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import './texts.ts'
import './addresses.css'

type Told = Answer<typeof calls.getServerAddresses>
type Checked = Answer<typeof calls.checkServerAddress>

export function AddressesPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'addresses'],
    queryFn: () => api.getServerAddresses({}),
  })
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined) return <Spinner />
  const { publicAddress, usedAddress, certificate, faults } = data
  return (
    <AdminBody title={t('address.title')}>
      <div className="ad-address">
        <PublicAddress address={publicAddress} used={usedAddress} />
        <section aria-label={t('address.used')}>
          <h2>{t('address.used')}</h2>
          <p>
            <code>{usedAddress}</code>
          </p>
          {usedAddress.startsWith('http:') && <p className="k-problem">{t('address.plain')}</p>}
        </section>
        {publicAddress !== '' && <Seen address={publicAddress} />}
        <section aria-label={t('address.own')}>
          <h2>{t('address.own')}</h2>
          {certificate === null ? (
            <small>{t('address.own.none')}</small>
          ) : (
            <>
              <Certificate certificate={certificate} faults={faults} />
              <small>{t('address.own.how')}</small>
            </>
          )}
        </section>
      </div>
    </AdminBody>
  )
}

function PublicAddress({ address, used }: { readonly address: string; readonly used: string }): ReactNode {
  const t = useT()
  const line = `PUBLIC_URL=${address === '' ? used : address}`
  return (
    <section aria-label={t('address.public')}>
      <h2>{t('address.public')}</h2>
      {address === '' ? (
        <p className="k-problem">{t('address.public.none')}</p>
      ) : (
        <p>
          <code>{address}</code>
        </p>
      )}
      <small>{t('address.public.note')}</small>
      <small>{t('address.public.how')}</small>
      <p>
        <code>{line}</code>
        <Button size="small" onClick={() => void copyText(line)}>
          {t('address.copy')}
        </Button>
      </p>
    </section>
  )
}

/** What browsers get at the public address, also from a proxy before this server. */
function Seen({ address }: { readonly address: string }): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [checked, setChecked] = useState<Checked>()
  const check = async (): Promise<void> => {
    setBusy(true)
    try {
      setChecked(await api.checkServerAddress({}))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={t('address.seen')} aria-busy={busy}>
      <h2>
        {t('address.seen')}
        <Button size="small" disabled={busy} onClick={() => void check()}>
          {t(busy ? 'address.checking' : 'address.check')}
        </Button>
      </h2>
      {checked !== undefined &&
        (!checked.reached ? (
          <p className="k-problem" role="alert">
            {t('address.unreached', { address, why: checked.reason })}
          </p>
        ) : checked.certificate === null ? (
          <p role="status">{t('address.reached')}</p>
        ) : (
          <div role="status">
            <Certificate certificate={checked.certificate} faults={checked.faults} />
          </div>
        ))}
    </section>
  )
}

function Certificate({
  certificate,
  faults,
}: {
  readonly certificate: NonNullable<Told['certificate']>
  readonly faults: Told['faults']
}): ReactNode {
  const t = useT()
  const { subject, names, issuer, validUntil, fingerprint } = certificate
  return (
    <>
      <p>
        {faults.length === 0 && <StatusChip tone="success">{t('address.good')}</StatusChip>}
        {faults.map((fault) => (
          <StatusChip key={fault} tone={fault === 'soon' || fault === 'untrusted' ? 'warning' : 'danger'}>
            {t(`address.fault.${fault}`)}
          </StatusChip>
        ))}
      </p>
      <dl>
        <dt>{t('address.subject')}</dt>
        <dd>{subject}</dd>
        {names.length > 0 && (
          <>
            <dt>{t('address.names')}</dt>
            <dd>{names.join(' · ')}</dd>
          </>
        )}
        <dt>{t('address.issuer')}</dt>
        <dd>{issuer}</dd>
        <dt>{t('address.until')}</dt>
        <dd>{fullTime(validUntil)}</dd>
        <dt>{t('address.print')}</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
      </dl>
    </>
  )
}
