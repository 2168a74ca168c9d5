// The network drive (WebDAV). Its protocol is no call; it tells people what their clients cannot do.
import { z } from 'zod'
import { feature } from '../feature.ts'
import { push } from '../push.ts'

export const dav = feature({
  about: { name: 'network drive', text: 'The libraries of a person as a network drive (WebDAV)' },
  switchedBy: 'webdav',
  calls: {},
  pushes: {
    /** Sent once for each token: the drive of Windows has listed a file that it does not open as it is installed. */
    driveLimit: push({
      summary: 'A network drive in Windows lists a file that it does not open before a setting is changed',
      type: 167,
      delivery: 'confirmed',
      notice: {
        group: 'reminder',
        key: ({ programId }) => `drive limit ${programId}`,
        merge: 'later',
        sentence: ({ programName }) => ({
          zh: 'Windows 的网络驱动器（{name}）打不开 50 MB 以上的文件，需要改一项设置',
          en: 'The network drive in Windows (“{name}”) does not open files over 50 MB until a setting is changed',
          values: { name: programName },
        }),
        path: () => '/doc/personal-setting?page=tokens#network-drive',
      },
      payload: z.strictObject({
        serverId: z.int(),
        remindId: z.int(),
        programId: z.int().describe('The token of the drive.'),
        programName: z.string(),
      }),
    }),
  },
})
