const indents = Array.from({ length: 8 }, (_, i) => `tbody .d${i + 1}{padding-left:${0.4 + (i + 1) * 0.7}rem}`).join(
  '\n',
);

/** Colours have a contrast of at least 4.5 to 1 on their ground (WCAG 2.2, 1.4.3); printed on A4 without a ground. */
export const style = `
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;background:#eef0f3;color:#16191d;font:15px/1.45 system-ui,"Noto Sans","Segoe UI",Roboto,sans-serif}
main{max-width:60rem;margin:2rem auto;padding:2.5rem 3rem;background:#fff}
h1,h2,h3,p,dl,dd{margin:0}
h1{font-size:1.7rem;line-height:1.2;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:1.8rem 0 .5rem;padding-bottom:.25rem;border-bottom:1px solid #c3c9d1}
h3{font-size:.95rem;margin:1rem 0 .3rem}
p,dd,td,th{overflow-wrap:anywhere}
p+p{margin-top:.2rem}
.strong,.total{font-weight:600}
.muted{color:#555d68}
.label,dt{color:#555d68;font-weight:400}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:0 2.5rem}
dl div{display:grid;grid-template-columns:min(40%,11rem) 1fr;gap:.75rem;padding:.1rem 0}
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.93rem}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{padding:.4rem;text-align:start;vertical-align:top;border-bottom:1px solid #dfe3e8}
thead th{overflow-wrap:normal;border-bottom:2px solid #16191d;vertical-align:bottom}
tbody th{font-weight:400}
tr.total>*{font-weight:600;border-top:2px solid #16191d}
.end{text-align:end;font-variant-numeric:tabular-nums}
td.end{overflow-wrap:normal}
${indents}
@page{size:A4;margin:18mm 16mm}
@media print{
body{background:none;font-size:9.5pt}
main{max-width:none;margin:0;padding:0}
thead{display:table-header-group}
tr,dl div{break-inside:avoid}
h2,h3{break-after:avoid}
.wide{overflow:visible}
}
`;
