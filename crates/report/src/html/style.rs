//! The look of pages: calm and dense, light or dark by the system's setting, fine on a phone and on paper.

use crate::theme;

/// The style of pages, for a `style` element or a file of its own. Colours are variables (`--m-text`, `--m-accent` ...);
/// classes begin with `m-`, those of pictures with `mc`.
#[must_use]
pub fn style() -> String {
    let (light, dark) = (theme::variables(|token| token.light), theme::variables(|token| token.dark));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n\
         {PAGE}{}\n{FIGURES}{PRINT}",
        theme::picture_in_page()
    )
}

const PAGE: &str = "\
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1.5rem 1.5rem 3rem;background:var(--m-ground);color:var(--m-text);\
font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.15rem;margin:2.2rem 0 .7rem;padding-top:.8rem;border-top:1px solid var(--m-rule)}
p,ul{max-width:46rem;margin:.6rem 0}
a{color:var(--m-accent)}
:focus-visible{outline:2px solid var(--m-accent);outline-offset:2px}
.m-sub{color:var(--m-soft);margin:0}
.m-lead{font-size:1.1rem;margin:.8rem 0 0}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;margin:1rem 0 0;max-width:none}
footer{margin-top:2.5rem;padding-top:.6rem;border-top:1px solid var(--m-rule);color:var(--m-soft);font-size:.87rem}
footer p{margin:.2rem 0;max-width:none}
.m-tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(11.5rem,1fr));gap:.75rem;margin:1rem 0}
.m-tiles div{background:var(--m-raised);border:1px solid var(--m-rule);border-radius:6px;padding:.55rem .8rem .6rem}
.m-tiles dt{color:var(--m-soft);font-size:.87rem}
.m-tiles dd{margin:0;font-size:1.3rem;font-weight:600;line-height:1.35}
.m-tiles .m-note{color:var(--m-soft);font-size:.87rem;font-weight:400}
.m-scroll{position:relative;overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.93rem}
caption{text-align:left;font-weight:600;padding:0 0 .4rem}
caption span{display:inline-block;position:sticky;left:0;max-width:calc(100vw - 2.5rem)}
tbody th,thead th:first-child{position:sticky;left:0;background:var(--m-ground)}
th,td{padding:.28rem .9rem .28rem 0;text-align:left;vertical-align:baseline}
th:last-child,td:last-child{padding-right:.25rem}
thead th{color:var(--m-soft);font-weight:500;font-size:.87rem;border-bottom:1px solid var(--m-axis);vertical-align:bottom}
tbody th{font-weight:500}
tbody tr+tr>*{border-top:1px solid var(--m-grid)}
.m-n{text-align:right;white-space:nowrap}
.m-pm{color:var(--m-soft)}
.m-best strong{color:var(--m-good);border-bottom:2px solid}
.m-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
details{margin:1rem 0}
summary{cursor:pointer;color:var(--m-accent)}
pre{overflow-x:auto;background:var(--m-raised);border:1px solid var(--m-rule);border-radius:6px;padding:.8rem;\
font:13px/1.45 ui-monospace,'Cascadia Mono',Menlo,Consolas,monospace;tab-size:4}
";

const FIGURES: &str = "\
.m-figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,29rem),1fr));gap:1.6rem 2.2rem;margin:1.2rem 0}
figure{margin:0;min-width:0}
.m-full{grid-column:1/-1}
figcaption{margin:0 0 .5rem;line-height:1.4}
figcaption strong{display:block;font-weight:600}
figcaption span{color:var(--m-soft);font-size:.9rem}
.mc{display:block;width:100%;height:auto}
.mc-narrow{display:none}
.m-panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15.5rem),1fr));gap:.6rem 1.2rem}
.m-panels .mc{max-width:20rem}
@media screen and (max-width:34rem){body{padding:1rem .9rem 2rem}.mc-wide{display:none}.mc-narrow{display:block}\
.m-tiles{grid-template-columns:1fr 1fr;gap:.5rem}.m-tiles dd{font-size:1.12rem}}
";

/// On paper: black on white whatever the screen, nothing cut apart, what is folded unfolded.
const PRINT: &str = "\
@page{margin:16mm 14mm}
@media print{:root{--m-text:#000;--m-soft:#333;--m-raised:#fff;--m-rule:#999;--m-accent:#000;--m-good:#000}\
body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}h1,h2,figcaption,caption{break-after:avoid}\
figure,tr,.m-tiles div,.m-panels .mc{break-inside:avoid}thead{display:table-header-group}\
.m-scroll{overflow:visible}caption span{max-width:none}table{font-size:9pt}.m-figures{grid-template-columns:1fr 1fr;gap:1rem 1.4rem}\
.m-panels{grid-template-columns:repeat(3,1fr)}.mc-wide{display:none}.mc-narrow{display:block}p,li{orphans:3;widows:3}\
details::details-content{content-visibility:visible;display:block;block-size:auto}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;break-inside:avoid}}
";
