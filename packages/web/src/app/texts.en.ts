import type { zh } from './texts.zh.ts'

export const en: Readonly<Record<keyof typeof zh, string>> = {
  'app.product': 'Cloudoc',
  'app.rail': 'Modules',
  'app.files': 'Files',
  'app.recycle': 'Recycle',
  'app.tree': 'Folder tree',
  'app.treeWidth': 'Width of the folder tree',
  'app.status': 'Status',
  'app.channel.online': 'Connected · {company}',
  'app.channel.connecting': 'Connecting…',
  'app.channel.offline': 'Not connected',
  'app.channel.off': 'No live updates',
  'app.reconnect': 'Reconnect',
  'app.offline': 'The network is down. You can only look at what is already open',
  'app.retry': 'Try again',
  'app.startFailed': 'The server cannot be reached',
  'app.startFailedMore': 'Check your network and try again. If it stays like this, ask your administrator.',
  'app.shared': '{operator} gave you rights on "{item}"',
  'app.unshared': '{operator} took your rights on "{item}"',
}
