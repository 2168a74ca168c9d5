// Chinese faces that documents of Windows, WPS and macOS name, and the families that replace them.

const sans = ['Noto Sans CJK SC', 'Noto Sans Hans']
const serif = ['Noto Serif CJK SC', 'Noto Serif SC']
const kai = ['LXGW WenKai', 'LXGW WenKai GB']

/** Faces of Windows, WPS and macOS by the kind of their strokes, with their English names. */
export const chineseFaces: readonly (readonly [by: readonly string[], faces: readonly string[]])[] = [
  [
    [...serif, ...sans],
    ['宋体', 'SimSun', '新宋体', 'NSimSun', '宋体-PUA', '华文宋体', 'STSong', '华文中宋', 'STZhongsong'],
  ],
  [
    [...serif, ...sans],
    ['方正小标宋简体', 'FZXiaoBiaoSong-B05S', '方正书宋简体', 'Songti SC', 'PMingLiU', 'MingLiU'],
  ],
  [
    [...kai, ...serif, ...sans],
    ['仿宋', 'FangSong', '仿宋_GB2312', 'FangSong_GB2312', '华文仿宋', 'STFangsong'],
  ],
  [
    [...kai, ...serif, ...sans],
    ['楷体', 'KaiTi', '楷体_GB2312', 'KaiTi_GB2312', '华文楷体', 'STKaiti', 'Kaiti SC'],
  ],
  [
    sans,
    ['黑体', 'SimHei', '华文黑体', 'STHeiti', '华文细黑', 'STXihei', '等线', 'DengXian', '等线 Light', 'PingFang SC'],
  ],
  [sans, ['微软雅黑', 'Microsoft YaHei', 'Microsoft YaHei UI', '微软雅黑 Light', 'Heiti SC', 'Microsoft JhengHei']],
]
