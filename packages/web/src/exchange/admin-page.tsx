// The administration of the exchange: rules in their order, networks, bundles.
import type { ExchangeNetwork, ExchangeRule } from '@cloudoc/contract'
import { codeMessage, codeOf } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { LoadFailure } from '../admin/shared/load-failure.tsx'
import { api } from '../core/call/api.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import { openWindow } from '../core/windows/index.ts'
import { notifyFailure } from '../items/actions/operations.ts'
import { Button, IconButton } from '../kit/button.tsx'
import {
  Add16Regular,
  ArrowDown16Regular,
  ArrowUp16Regular,
  Delete16Regular,
  Edit16Regular,
  Play16Regular,
} from '../kit/icons.ts'
import { ListPage } from '../kit/list-page.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { Switch } from '../kit/switch.tsx'
import { TabPanel } from '../kit/tab-panel.tsx'
import { type Column, Table, TableName } from '../kit/table.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useLevels } from '../organisation/index.ts'
import { Bundles } from './admin-bundles.tsx'
import { toRuleInput } from './admin-rule.tsx'
import { administrationQuery, refetchExchange } from './exchange-queries.ts'
import './exchange-texts.ts'
import './exchange.css'

const tabs = ['rules', 'networks', 'bundles'] as const
type Tab = (typeof tabs)[number]

export function ExchangePage(): ReactNode {
  const t = useT()
  const id = useId()
  const [tab, setTab] = useState<Tab>('rules')
  const { data, error, refetch } = useQuery(administrationQuery)
  const networks = data?.networks ?? []
  const editRule = (rule?: ExchangeRule): void =>
    void openWindow('company-exchange-rule', {
      ...{ networks, libraries: data?.libraries ?? [] },
      ...(rule !== undefined && { rule }),
    })
  const editNetwork = (network?: ExchangeNetwork): void =>
    void openWindow('company-exchange-network', {
      servers: data?.servers ?? [],
      ...(network !== undefined && { network }),
    })
  const failure = error && <LoadFailure error={error} retry={refetch} />
  return (
    <ListPage
      title={t('company.exchange')}
      note={t('exchange.admin.note')}
      tools={
        tab === 'rules' ? (
          <>
            <Button
              icon={<Play16Regular />}
              disabled={networks.length === 0}
              onClick={() => void openWindow('company-exchange-try', { networks, libraries: data?.libraries ?? [] })}
            >
              {t('exchange.try')}
            </Button>
            <Button
              kind="primary"
              icon={<Add16Regular />}
              disabled={networks.length === 0}
              title={networks.length === 0 ? t('exchange.admin.networkFirst') : undefined}
              onClick={() => editRule()}
            >
              {t('exchange.rule.new')}
            </Button>
          </>
        ) : tab === 'networks' ? (
          <Button kind="primary" icon={<Add16Regular />} disabled={data === undefined} onClick={() => editNetwork()}>
            {t('exchange.network.new')}
          </Button>
        ) : undefined
      }
      tabs={
        <Tabs
          id={id}
          label={t('company.exchange')}
          tabs={tabs.map((one) => ({
            tab: one,
            text: t(`exchange.admin.${one}`),
            count: one === 'rules' ? data?.rules.length : one === 'networks' ? data?.networks.length : undefined,
          }))}
          chosen={tab}
          onChoose={setTab}
        />
      }
      foot={<span>{t(`exchange.admin.${tab}.foot`)}</span>}
    >
      <TabPanel id={id} chosen={tab} className="ex-tabs">
        {tab === 'rules' && <Rules rules={data?.rules} networks={networks} edit={editRule} failure={failure} />}
        {tab === 'networks' && (
          <Networks networks={data?.networks} ownKey={data?.ownKey} edit={editNetwork} failure={failure} />
        )}
        {tab === 'bundles' && <Bundles networks={networks} />}
      </TabPanel>
    </ListPage>
  )
}

interface RulesProps {
  readonly rules: readonly ExchangeRule[] | undefined
  readonly networks: readonly ExchangeNetwork[]
  readonly edit: (rule?: ExchangeRule) => void
  readonly failure: ReactNode
}

function Rules({ rules, networks, edit, failure }: RulesProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  const list = rules ?? []
  const enable = (rule: ExchangeRule, isActive: boolean): void =>
    void api
      .setExchangeRule({ ...toRuleInput(rule), isActive })
      .catch(notifyFailure)
      .finally(refetchExchange)
  const move = (at: number, to: number): void => {
    const ids = list.map(({ ruleId }) => ruleId)
    ids.splice(to, 0, ...ids.splice(at, 1))
    void api.orderExchangeRules({ ruleIdArray: ids }).catch(notifyFailure).finally(refetchExchange)
  }
  const remove = async ({ ruleId, name }: ExchangeRule): Promise<void> => {
    const sure = await confirmBox({
      ...{ text: t('exchange.rule.remove.ask', { name }), detail: t('exchange.rule.remove.more') },
      ...{ ok: t('exchange.rule.remove'), danger: true },
    })
    if (!sure) return
    await api.removeExchangeRule({ ruleId })
    toast({ kind: 'success', text: t('exchange.rule.removed', { name }) })
    refetchExchange()
  }
  const names = (parts: readonly string[]): string => parts.join(t('exchange.comma'))
  const columns: readonly Column<ExchangeRule>[] = [
    {
      id: 'name',
      head: t('exchange.rule.name'),
      renderCell: (one) => (
        <TableName
          icon={<span>{list.indexOf(one) + 1}</span>}
          below={
            networks.find(({ targetServerCode }) => targetServerCode === one.targetServerCode)?.targetName ??
            one.targetServerCode
          }
        >
          {one.name}
        </TableName>
      ),
    },
    {
      id: 'whom',
      head: t('exchange.rule.whom'),
      text: 'wrap',
      renderCell: ({ subjects }) =>
        names(
          subjects.map(({ subjectType, subjectName }) =>
            subjectType === 'everybody' ? t('exchange.everybody') : subjectName,
          ),
        ),
    },
    {
      id: 'where',
      head: t('exchange.rule.where'),
      text: 'wrap',
      renderCell: ({ items }) =>
        items.length === 0 ? t('exchange.rule.where.all') : names(items.map(({ fName }) => fName)),
    },
    {
      id: 'what',
      head: t('exchange.rule.what'),
      text: 'wrap',
      renderCell: ({ exts, maxLevel }) =>
        t('exchange.rule.upTo', {
          exts: exts.length === 0 ? t('exchange.rule.exts.all') : names(exts),
          level: levels[maxLevel] ?? String(maxLevel),
        }),
    },
    {
      id: 'approval',
      head: t('exchange.rule.approval'),
      text: 'wrap',
      renderCell: (rule) => {
        const steps = Math.max(0, ...rule.levels.map(({ isFree, rounds }) => (isFree ? 0 : rounds.length)))
        return steps === 0 ? t('exchange.rule.free') : t('exchange.rule.steps', { n: steps })
      },
    },
    {
      id: 'active',
      head: t('exchange.rule.active'),
      renderCell: (one) => (
        <Switch
          label={t('exchange.rule.on', { name: one.name })}
          on={one.isActive}
          onChange={(is) => enable(one, is)}
        />
      ),
    },
    {
      id: 'buttons',
      head: t('exchange.rule.change'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => {
        const at = list.indexOf(one)
        return (
          <>
            <IconButton
              size="small"
              label={t('exchange.rule.up', { name: one.name })}
              icon={<ArrowUp16Regular />}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              size="small"
              label={t('exchange.rule.down', { name: one.name })}
              icon={<ArrowDown16Regular />}
              disabled={at === list.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton
              size="small"
              label={t('exchange.rule.change')}
              icon={<Edit16Regular />}
              onClick={() => edit(one)}
            />
            <IconButton
              size="small"
              label={t('exchange.rule.remove')}
              icon={<Delete16Regular />}
              onClick={() => void remove(one).catch(notifyFailure)}
            />
          </>
        )
      },
    },
  ]
  return (
    <Table
      label={t('exchange.admin.rules')}
      columns={columns}
      rows={rules}
      keyOf={({ ruleId }) => ruleId}
      nameOf={({ name }) => name}
      onOpen={edit}
      isTall
      failure={failure}
      loading={<Spinner />}
      empty={<StatePage title={t('exchange.rules.none')} text={t('exchange.rules.none.more')} />}
    />
  )
}

interface NetworksProps {
  readonly networks: readonly ExchangeNetwork[] | undefined
  readonly ownKey: { readonly text: string; readonly fingerprint: string } | undefined
  readonly edit: (network?: ExchangeNetwork) => void
  readonly failure: ReactNode
}

function Networks({ networks, ownKey, edit, failure }: NetworksProps): ReactNode {
  const t = useT()
  const columns: readonly Column<ExchangeNetwork>[] = [
    {
      id: 'name',
      head: t('exchange.network'),
      renderCell: ({ targetName, targetServerCode }) => <TableName below={targetServerCode}>{targetName}</TableName>,
    },
    {
      id: 'road',
      head: t('exchange.network.road'),
      text: 'wrap',
      renderCell: ({ transport, serverName, apiHost }) =>
        transport === 'wire' ? `${serverName} ${apiHost}` : t('exchange.transport.bundle'),
    },
    {
      id: 'key',
      head: t('exchange.network.key'),
      renderCell: ({ peerKey }) =>
        peerKey === null ? t('exchange.network.noKey') : <code>{peerKey.fingerprint}</code>,
    },
    { id: 'rules', head: t('exchange.admin.rules'), align: 'number', renderCell: ({ ruleCount }) => ruleCount },
    {
      id: 'buttons',
      head: t('exchange.network.change'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => <NetworkButtons network={one} edit={edit} />,
    },
  ]
  return (
    <>
      {ownKey !== undefined && <OwnKey ownKey={ownKey} />}
      <Table
        label={t('exchange.admin.networks')}
        columns={columns}
        rows={networks}
        keyOf={({ targetServerCode }) => targetServerCode}
        nameOf={({ targetName }) => targetName}
        onOpen={edit}
        isTall
        failure={failure}
        loading={<Spinner />}
        empty={<StatePage title={t('exchange.networks.none')} text={t('exchange.networks.none.more')} />}
      />
    </>
  )
}

function NetworkButtons({
  network,
  edit,
}: {
  readonly network: ExchangeNetwork
  readonly edit: (network: ExchangeNetwork) => void
}): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [state, setState] = useState('')
  const { targetServerCode, targetName, transport } = network
  const test = async (): Promise<void> => {
    setState('…')
    try {
      const { milliseconds } = await api.testExchangeNetwork({ targetServerCode }, { quiet: true })
      setState(t('exchange.network.answers', { n: milliseconds }))
    } catch (failure) {
      const code = codeOf((failure as { number?: number }).number ?? 0)
      setState(code === undefined ? t('exchange.network.silent') : codeMessage(code, locale))
    }
  }
  const remove = async (): Promise<void> => {
    const sure = await confirmBox({
      ...{ text: t('exchange.network.remove.ask', { name: targetName }), detail: t('exchange.network.remove.more') },
      ...{ ok: t('exchange.network.remove'), danger: true },
    })
    if (!sure) return
    await api.removeExchangeNetwork({ targetServerCode })
    refetchExchange()
  }
  return (
    <>
      {transport === 'wire' && (
        <>
          <small role="status">{state}</small>
          <Button size="small" onClick={() => void test()}>
            {t('exchange.network.test')}
          </Button>
        </>
      )}
      <IconButton
        size="small"
        label={t('exchange.network.change')}
        icon={<Edit16Regular />}
        onClick={() => edit(network)}
      />
      <IconButton
        size="small"
        label={t('exchange.network.remove')}
        icon={<Delete16Regular />}
        onClick={() => void remove().catch(notifyFailure)}
      />
    </>
  )
}

/** The key of this server, which the administrator of the other network enters there. */
function OwnKey({ ownKey }: { readonly ownKey: { readonly text: string; readonly fingerprint: string } }): ReactNode {
  const t = useT()
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(ownKey.text)
    toast({ kind: 'success', text: t('exchange.key.copied') })
  }
  const renew = async (): Promise<void> => {
    const sure = await confirmBox({
      ...{ text: t('exchange.key.renew.ask'), detail: t('exchange.key.renew.more') },
      ...{ ok: t('exchange.key.renew'), danger: true },
    })
    if (!sure) return
    await api.renewExchangeKey({})
    refetchExchange()
  }
  return (
    <section className="ex-bundles" aria-label={t('exchange.key.own')}>
      <div className="ex-row">
        <b>{t('exchange.key.own')}</b>
        <code>{ownKey.fingerprint}</code>
        <Button size="small" onClick={() => void copy().catch(notifyFailure)}>
          {t('exchange.key.copy')}
        </Button>
        <Button size="small" onClick={() => void renew().catch(notifyFailure)}>
          {t('exchange.key.renew')}
        </Button>
      </div>
      <small>{t('exchange.key.more')}</small>
    </section>
  )
}
