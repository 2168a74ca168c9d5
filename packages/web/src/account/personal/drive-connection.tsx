// How a network drive is connected (WebDAV): the address, who signs in, and what each system needs.

import { type ReactNode, useId } from 'react'
import { addTexts, type English, type PlainTextKey, useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { useSession } from '../../core/session/session.ts'
import { IconButton } from '../../kit/button.tsx'
import { Copy16Regular } from '../../kit/icons.ts'

const zh = {
  'webdav.title': '连接网络驱动器',
  'webdav.address': '地址',
  'webdav.account': '账号',
  'webdav.password': '密码',
  'webdav.passwordIs': '应用密码（新建令牌时选“应用密码”），不是登录密码',
  'webdav.copy': '复制{what}',
  'webdav.plain': '此处不是加密连接（HTTPS）。Windows 和 macOS 不会在未加密的连接上发送密码，请管理员配置 HTTPS。',
  'webdav.windows': 'Windows',
  'webdav.windowsHow': '在“此电脑”中选“映射网络驱动器”，填写地址，勾选“使用其他凭据连接”。',
  'webdav.windowsLimit':
    'Windows 默认打不开 50 MB 以上的文件。用管理员身份运行下面的命令，然后重启电脑。超过 4 GB 的文件请用客户端或网页。',
  'webdav.mac': 'macOS',
  'webdav.macHow': '在“访达”中选“前往 › 连接服务器”，填写地址。',
  'webdav.linux': 'Linux',
  'webdav.linuxHow': '在文件管理器的地址栏输入：',
  'webdav.rclone': 'rclone',
  'webdav.rcloneHow': '运行下面的命令，它会问你要密码：',
} as const

const en: English<typeof zh> = {
  'webdav.title': 'Connect a network drive',
  'webdav.address': 'Address',
  'webdav.account': 'Account',
  'webdav.password': 'Password',
  'webdav.passwordIs': 'an app password (a new token of that kind), not the one you sign in with',
  'webdav.copy': 'Copy: {what}',
  'webdav.plain':
    'This connection is not encrypted (HTTPS). Windows and macOS send no password over it: ask your administrator to set up HTTPS.',
  'webdav.windows': 'Windows',
  'webdav.windowsHow':
    'In “This PC” choose “Map network drive”, enter the address and tick “Connect using different credentials”.',
  'webdav.windowsLimit':
    'Windows does not open files over 50 MB at first. Run this command as an administrator and restart the computer. Over 4 GB use the client or the page.',
  'webdav.mac': 'macOS',
  'webdav.macHow': 'In the Finder choose “Go › Connect to Server” and enter the address.',
  'webdav.linux': 'Linux',
  'webdav.linuxHow': 'Enter this in the address bar of the file manager:',
  'webdav.rclone': 'rclone',
  'webdav.rcloneHow': 'Run this command, which asks for the password:',
}

type WebdavTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends WebdavTexts {}
}
addTexts(zh, en)

/** Raises the limit of the Windows client to 4 GB, as far as it goes. */
const windowsLimit = String.raw`reg add HKLM\SYSTEM\CurrentControlSet\Services\WebClient\Parameters /v FileSizeLimitInBytes /t REG_DWORD /d 4294967295 /f`

/** Addresses that lead here, as those of notices, name it. */
const anchor = 'network-drive'

export function DriveConnection(): ReactNode {
  const t = useT()
  const { account, serverSetting } = useSession()
  if (serverSetting.features_off.includes('webdav')) return null
  const address = `${location.origin}/dav/`
  const rclone = `rclone config create cloudoc webdav url=${address} vendor=owncloud user=${account.account} --all`
  return (
    <details className="ac-drive" id={anchor} open={location.hash === `#${anchor}`}>
      <summary>{t('webdav.title')}</summary>
      {location.protocol === 'http:' && <p className="ac-hint is-warning">{t('webdav.plain')}</p>}
      <dl>
        <dt>{t('webdav.address')}</dt>
        <dd>
          <Copied what={t('webdav.address')} text={address} />
        </dd>
        <dt>{t('webdav.account')}</dt>
        <dd>
          <Copied what={t('webdav.account')} text={account.account} />
        </dd>
        <dt>{t('webdav.password')}</dt>
        <dd>{t('webdav.passwordIs')}</dd>
      </dl>
      <System name="webdav.windows" how="webdav.windowsHow">
        <p>{t('webdav.windowsLimit')}</p>
        <Copied what={t('webdav.windows')} text={windowsLimit} />
      </System>
      <System name="webdav.mac" how="webdav.macHow" />
      <System name="webdav.linux" how="webdav.linuxHow">
        <Copied what={t('webdav.linux')} text={address.replace(/^http/, 'dav')} />
      </System>
      <System name="webdav.rclone" how="webdav.rcloneHow">
        <Copied what={t('webdav.rclone')} text={rclone} />
      </System>
    </details>
  )
}

interface SystemProps {
  readonly name: PlainTextKey
  readonly how: PlainTextKey
  readonly children?: ReactNode
}

function System({ name, how, children }: SystemProps): ReactNode {
  const t = useT()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{t(name)}</h3>
      <p>{t(how)}</p>
      {children}
    </section>
  )
}

/** A text that is copied, not typed. */
function Copied({ what, text }: { readonly what: string; readonly text: string }): ReactNode {
  const t = useT()
  return (
    <span className="ac-copied">
      <code>{text}</code>
      <IconButton
        size="small"
        label={t('webdav.copy', { what })}
        icon={<Copy16Regular />}
        onClick={() => void copyText(text)}
      />
    </span>
  )
}
