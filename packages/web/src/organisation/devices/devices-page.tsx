// The devices of everybody: approval of new ones, wiping of lost ones, and those with a sandbox ([R047], [R351]).
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t, useT } from '../../core/i18n/i18n.ts'
import { userAgentLabel } from '../../core/page/user-agent.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import { TextField } from '../../kit/fields.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, type RowKey, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { removeFactor } from '../shared/second-factor.ts'
import './texts.ts'
import './devices.css'

type Device = Answer<typeof calls.getDevices>['list'][number]
const tabs = ['all', 'waiting', 'approved', 'refused', 'wiped', 'sandbox'] as const
type TabName = (typeof tabs)[number]

const tones: Readonly<Record<Device['state'], ChipTone>> = {
  waiting: 'info',
  approved: 'success',
  refused: 'neutral',
  wiped: 'danger',
}
const devicesKey = ['admin', 'devices'] as const
const refetchDevices = (): Promise<void> => queryClient.invalidateQueries({ queryKey: devicesKey })

/** For somebody who has lost the device that holds the second factor. */
async function removeFactorOfSomebody(): Promise<void> {
  const [person] =
    (await openWindow('people-pick', { title: t('devices.factorWhose'), ok: t('devices.factorNext'), picked: [] })) ??
    []
  if (person !== undefined) await removeFactor(person)
}

export function DevicesPage(): ReactNode {
  const t = useT()
  const [tab, setTab] = useState<TabName>('all')
  const [keyword, setKeyword] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const filter = tab === 'all' ? {} : tab === 'sandbox' ? { sandbox: 'true' as const } : { state: tab }
  const { data, error, refetch } = useQuery({
    queryKey: [...devicesKey, tab, keyword],
    queryFn: () => api.getDevices({ ...filter, keyword: keyword.trim(), rows: 500 }),
  })
  const decide = async (deviceIds: number[], approve: boolean): Promise<void> => {
    const { list } = await api.decideDevices({ deviceIds, approve })
    toast({ kind: 'success', text: t('devices.decided', { n: list.filter(({ result }) => result === -1).length }) })
    setChosen(new Set())
    await refetchDevices()
  }
  const all = data && data.counts.waiting + data.counts.approved + data.counts.refused + data.counts.wiped
  return (
    <ListPage
      title={t('org.devices')}
      note={data && (data.demanded ? t('devices.count', { n: data.counts.waiting }) : t('devices.notDemanded'))}
      tools={
        <Button onClick={() => void removeFactorOfSomebody().catch(() => undefined)}>{t('devices.factor')}</Button>
      }
      tabs={
        <Tabs
          id="devices"
          label={t('org.devices')}
          tabs={tabs.map((one) => ({
            tab: one,
            text: t(`devices.tab.${one}`),
            count: one === 'all' ? all : data?.counts[one],
          }))}
          chosen={tab}
          onChoose={(next) => {
            setTab(next)
            setChosen(new Set())
          }}
        />
      }
      filters={
        <div className="dv-filter">
          <span className="k-input">
            <input
              type="search"
              aria-label={t('devices.search')}
              placeholder={t('devices.search')}
              value={keyword}
              maxLength={100}
              onChange={({ target }) => setKeyword(target.value)}
            />
          </span>
          {chosen.size > 0 && (
            <>
              <span>{t('devices.chosen', { n: chosen.size })}</span>
              <Button size="small" onClick={() => void decide([...chosen].map(Number), true).catch(() => undefined)}>
                {t('devices.approve')}
              </Button>
              <Button size="small" onClick={() => void decide([...chosen].map(Number), false).catch(() => undefined)}>
                {t('devices.refuse')}
              </Button>
            </>
          )}
        </div>
      }
    >
      <Table
        label={t('org.devices')}
        columns={useColumns(tab === 'sandbox', decide)}
        rows={data?.list}
        keyOf={({ deviceId }) => deviceId}
        nameOf={({ accountName }) => accountName}
        selection={{ chosen, onChange: setChosen, allLabel: t('devices.choose') }}
        isTall
        failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
        loading={<Spinner />}
        empty={<StatePage title={t('devices.none')} text={t('devices.noneMore')} />}
      />
    </ListPage>
  )
}

function useColumns(
  isSandbox: boolean,
  decide: (deviceIds: number[], approve: boolean) => Promise<void>,
): readonly Column<Device>[] {
  const t = useT()
  const nameOf = ({ name, agent }: Device): string => name || userAgentLabel(agent) || t('devices.unknown')
  const wipe = async (device: Device): Promise<void> => {
    const isSure = await confirmBox({
      text: t('devices.wipeAsk', { name: `${device.accountName} · ${nameOf(device)}` }),
      detail: t('devices.wipeMore'),
      ok: t('devices.wipe'),
      danger: true,
    })
    if (!isSure) return
    await api.wipeDevice({ deviceId: device.deviceId })
    toast({ kind: 'success', text: t('devices.wipeOrdered') })
    await refetchDevices()
  }
  return [
    {
      id: 'device',
      head: t('devices.device'),
      width: '20%',
      text: 'clip',
      renderCell: (device) => (
        <>
          {nameOf(device)}
          <small className="dv-small">{device.name === '' ? '' : userAgentLabel(device.agent)}</small>
        </>
      ),
    },
    {
      id: 'person',
      head: t('devices.person'),
      width: '14%',
      text: 'clip',
      renderCell: ({ accountName, groupName }) => (
        <>
          {accountName}
          <small className="dv-small">{groupName}</small>
        </>
      ),
    },
    ...(isSandbox ? [{ id: 'sandbox', head: t('devices.sandbox'), renderCell: ({ sandbox }: Device) => sandbox }] : []),
    {
      id: 'description',
      head: t('devices.description'),
      renderCell: (device) => <Description key={device.deviceId} device={device} />,
    },
    { id: 'used', head: t('devices.used'), renderCell: ({ usedTime }) => fullTime(usedTime), isHiddenOnPhone: true },
    { id: 'address', head: t('devices.address'), renderCell: ({ address }) => address, isHiddenOnPhone: true },
    {
      id: 'state',
      head: t('devices.state'),
      renderCell: ({ state, clearTime }) => (
        <StatusChip tone={tones[state]}>
          {t(state === 'wiped' && clearTime > 0 ? 'devices.cleared' : `devices.tab.${state}`)}
        </StatusChip>
      ),
    },
    {
      id: 'actions',
      head: t('devices.actions'),
      isHeadHidden: true,
      renderCell: (device) => (
        <span className="dv-actions">
          {device.state === 'approved' ? (
            <Button size="small" onClick={() => void decide([device.deviceId], false).catch(() => undefined)}>
              {t('devices.refuse')}
            </Button>
          ) : (
            <Button size="small" onClick={() => void decide([device.deviceId], true).catch(() => undefined)}>
              {t('devices.approve')}
            </Button>
          )}
          {device.state !== 'wiped' && (
            <Button size="small" onClick={() => void wipe(device).catch(() => undefined)}>
              {t('devices.wipe')}
            </Button>
          )}
        </span>
      ),
    },
  ]
}

/** The description of a device, changed in place. */
function Description({ device: { deviceId, description } }: { readonly device: Device }): ReactNode {
  const t = useT()
  const [text, setText] = useState<string>()
  if (text === undefined)
    return (
      <Button kind="link" onClick={() => setText(description)}>
        {description || t('devices.describe')}
      </Button>
    )
  const save = async (): Promise<void> => {
    await api.describeDevice({ deviceId, description: text })
    setText(undefined)
    await refetchDevices()
  }
  return (
    <form
      className="dv-description"
      onSubmit={(event) => {
        event.preventDefault()
        void save().catch(() => undefined)
      }}
    >
      <TextField
        label={t('devices.description')}
        value={text}
        maxLength={200}
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
      <Button size="small" type="submit" kind="primary">
        {t('devices.save')}
      </Button>
      <Button size="small" onClick={() => setText(undefined)}>
        {t('devices.cancel')}
      </Button>
    </form>
  )
}
