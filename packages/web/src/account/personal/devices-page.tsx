// The devices of the user ([R047]), and the description of those with a sandbox ([R351]).
import { minuteTime } from '@cloudoc/domain'
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { userAgentLabel } from '../../core/page/user-agent.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import './program-texts.ts'

type Known = Awaited<ReturnType<typeof api.getMyDevices>>
type Device = Known['list'][number]

const tones: Readonly<Record<Device['state'], ChipTone>> = {
  waiting: 'info',
  approved: 'success',
  refused: 'neutral',
  wiped: 'danger',
}

export function DevicesPage(): ReactNode {
  const t = useT()
  const [known, setKnown] = useState<Known>()
  const [problem, setProblem] = useState<string>()
  const [edited, setEdited] = useState<number>()
  const read = useCallback(async () => {
    try {
      setKnown(await api.getMyDevices({}, { quiet: true }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }, [])
  useEffect(() => void read(), [read])
  if (problem !== undefined) return <StatePage title={problem} />
  if (known === undefined) return <Spinner />
  if (known.list.length === 0) return <StatePage title={t('device.none')} text={t('device.noneMore')} />
  const nameOf = ({ name, agent }: Device): string => name || userAgentLabel(agent) || t('device.unknown')
  const remove = async (device: Device): Promise<void> => {
    const isSure = await confirmBox({
      text: t('device.removeAsk', { name: nameOf(device) }),
      detail: t('device.removeMore'),
      ok: t('device.remove'),
      danger: true,
    })
    if (!isSure) return
    await api.removeMyDevice({ deviceId: device.deviceId })
    toast({ kind: 'success', text: t('device.removed') })
    await read()
  }
  return (
    <div className="ac-body">
      <p className="ac-hint">{t(known.demanded ? 'device.demanded' : 'device.what')}</p>
      {known.list.map((device) =>
        edited === device.deviceId ? (
          <DeviceForm
            key={device.deviceId}
            device={device}
            onDone={() => {
              setEdited(undefined)
              void read()
            }}
          />
        ) : (
          <SettingRow
            key={device.deviceId}
            label={nameOf(device)}
            note={[
              t('device.used', { address: device.address, time: minuteTime(device.usedTime) }),
              ...(device.sandbox === '' ? [] : [t('device.sandbox', { version: device.sandbox })]),
              ...(device.description === '' ? [] : [device.description]),
            ].join(' · ')}
          >
            {device.current ? (
              <StatusChip tone="success">{t('device.here')}</StatusChip>
            ) : (
              <StatusChip tone={tones[device.state]}>{t(`device.state.${device.state}`)}</StatusChip>
            )}
            <Button size="small" onClick={() => setEdited(device.deviceId)}>
              {t('device.rename')}
            </Button>
            {!device.current && (device.state === 'approved' || device.state === 'waiting') && (
              <Button size="small" onClick={() => void remove(device).catch(() => undefined)}>
                {t('device.remove')}
              </Button>
            )}
          </SettingRow>
        ),
      )}
    </div>
  )
}

function DeviceForm({ device, onDone }: { readonly device: Device; readonly onDone: () => void }): ReactNode {
  const t = useT()
  const { deviceId, sandbox } = device
  const [name, setName] = useState(device.name)
  const [description, setDescription] = useState(device.description)
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    await api.renameMyDevice({ deviceId, name })
    if (sandbox !== '' && description !== device.description) await api.setSandboxDescription({ deviceId, description })
    onDone()
  }
  return (
    <form className="ac-form" onSubmit={(event) => void save(event).catch(() => undefined)}>
      <TextField
        label={t('device.name')}
        value={name}
        maxLength={60}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      {sandbox !== '' && (
        <TextField
          label={t('device.description')}
          value={description}
          maxLength={200}
          onChange={({ target }) => setDescription(target.value)}
        />
      )}
      <footer className="ac-foot">
        <Button onClick={onDone}>{t('device.cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('device.save')}
        </Button>
      </footer>
    </form>
  )
}
