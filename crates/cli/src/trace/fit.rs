//! `muster trace fit`: laws for what is in the file, and how well they fit.

use std::path::PathBuf;

use clap::Args;
use muster_engine::Span;
use muster_report::chart::{Axis, Chart, svg};
use muster_report::number::{Unit, significant};
use muster_report::sheet::{Cell, Sheet};
use muster_sim::fit::{Fit as Fitted, fit, quantile_pairs};
use muster_sim::law::Law;
use serde_json::json;

use super::Source;
use super::streams::{self, Stream};
use crate::output::Console;
use crate::refusal::{Failure, Refusal};

/// A law farther than this from the values is not called a good fit.
pub(super) const NEAR: f64 = 0.05;

#[derive(Debug, Args)]
pub(crate) struct Fit {
    #[command(flatten)]
    source: Source,
    /// What follows within this time of the end before belongs to the same stay of a worker.
    #[arg(long, value_name = "TIME", default_value = "5 min")]
    gap: Span,
    /// Quantiles of the nearest law against those of the values, as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

impl Fit {
    pub(crate) fn run(&self, console: &Console) -> Result<(), Failure> {
        let trace = self.source.read()?;
        let streams = streams::streams(&trace, self.gap);
        if streams.is_empty() {
            let name = self.source.file.display().to_string();
            return Err(Refusal::value(
                &name,
                "no stream of numbers",
                "a trace that tells of work, stays or arrivals",
            )
            .into());
        }
        let fitted: Vec<(&Stream, Vec<Fitted>)> =
            streams.iter().map(|stream| (stream, fit(&stream.values))).collect();
        if let Some(file) = &self.svg {
            let picture = svg::picture(&charts(&fitted));
            std::fs::write(file, picture)
                .map_err(|error| Failure::File(file.display().to_string(), error))?;
        }
        if self.json {
            return console.print(&(as_json(&fitted).to_string() + "\n"));
        }
        console.print(&table(&fitted).text(console.out))?;
        console.print(
            "\nThe distance is the greatest difference between the two distributions (Kolmogorov-Smirnov).\n\
             Where even the nearest law is far, take the values themselves: law = \"empirical\".\n",
        )?;
        match &self.svg {
            Some(file) => console.print(&format!("picture: {}\n", file.display())),
            None => Ok(()),
        }
    }
}

fn table(fitted: &[(&Stream, Vec<Fitted>)]) -> Sheet {
    let mut sheet = Sheet::new("stream")
        .column("n", Unit::Count)
        .column("law", Unit::Plain)
        .column("parameters", Unit::Plain)
        .column("distance", Unit::Plain)
        .column("fit", Unit::Plain);
    for (stream, fits) in fitted {
        for (i, fit) in fits.iter().enumerate() {
            let n = if i == 0 { Cell::from(stream.values.len() as f64) } else { Cell::Text(String::new()) };
            let name = if i == 0 { stream.name.as_str() } else { "" };
            let word = match fit.distance {
                distance if distance < NEAR => "good",
                distance if distance < 2.0 * NEAR => "fair",
                _ => "poor",
            };
            sheet = sheet.row(
                name,
                [n, fit.name.into(), parameters(&fit.law).into(), fit.distance.into(), word.into()],
            );
        }
    }
    sheet
}

/// A law's figures as a scenario writes them.
pub(super) fn parameters(law: &Law) -> String {
    let figure = |number: f64| significant(number, 4);
    match law {
        Law::Fixed(value) => format!("{} s", figure(*value)),
        Law::Exponential(mean) => format!("mean {} s", figure(*mean)),
        Law::LogNormal { .. } | Law::Gamma { .. } => {
            format!("mean {} s, sd {} s", figure(law.mean()), figure(deviation(law)))
        }
        Law::Weibull { shape, .. } => format!("mean {} s, shape {}", figure(law.mean()), figure(*shape)),
        Law::Pareto { least, shape } => format!("least {} s, shape {}", figure(*least), figure(*shape)),
        Law::Uniform(least, most) => format!("{} s to {} s", figure(*least), figure(*most)),
        Law::Mixture(_) | Law::Empirical(_) => format!("mean {} s", figure(law.mean())),
    }
}

/// The standard deviation of the laws that are described by one.
pub(super) fn deviation(law: &Law) -> f64 {
    match law {
        Law::LogNormal { sigma, .. } => law.mean() * (sigma * sigma).exp_m1().sqrt(),
        Law::Gamma { shape, scale } => shape.sqrt() * scale,
        _ => law.mean(),
    }
}

fn charts(fitted: &[(&Stream, Vec<Fitted>)]) -> Vec<Chart> {
    let chart = |(stream, fits): &(&Stream, Vec<Fitted>)| {
        let nearest = fits.first()?;
        let title = format!("Is {} {}? Quantiles agree on the line", stream.name, nearest.name);
        let x = Axis::new(&format!("{} law", nearest.name), Unit::Of("s".to_owned()));
        let y = Axis::new("recorded", Unit::Of("s".to_owned()));
        Some(Chart::qq(&title, x, y, &stream.name, quantile_pairs(&nearest.law, &stream.values, 200)))
    };
    fitted.iter().filter_map(chart).collect()
}

fn as_json(fitted: &[(&Stream, Vec<Fitted>)]) -> serde_json::Value {
    let each = |(stream, fits): &(&Stream, Vec<Fitted>)| {
        let fits: Vec<_> = fits
            .iter()
            .map(|fit| json!({"law": fit.name, "parameters": parameters(&fit.law), "distance": fit.distance}))
            .collect();
        json!({"stream": stream.name, "n": stream.values.len(), "fits": fits})
    };
    fitted.iter().map(each).collect()
}
