// The Chinese texts of this folder that are loaded with its window; texts.en.ts has the same keys.
export const diagnosticsZh = {
  'diagnostics.report': '发送日志给管理员',
  'diagnostics.device': '设备服务 37219',
  'diagnostics.device.good': '有回答',
  'diagnostics.device.away': '没有安装或没有运行；本地编辑不可用',
  'diagnostics.device.unused': '公司没有启用本地编辑',
  'diagnostics.editing': '编辑服务 12345',
  'diagnostics.editing.good': '有回答',
  'diagnostics.editing.away': '没有回答；从网页打开过一次本地编辑后可用',
  'diagnostics.editing.unused': '公司没有启用本地编辑',
  'diagnostics.clock': '时间',
  'diagnostics.clock.good': '与服务器一致',
  'diagnostics.clock.off': '与服务器相差超过 30 秒，请校准这台电脑的时间',
  'diagnostics.clock.unknown': '没有问到服务器的时间',
} as const
