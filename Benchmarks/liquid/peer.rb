# Renders the benchmark message with ruby-liquid: prints renders/s and parses/s.
require "json"
require "liquid"

def rate(count)
  rates = 3.times.map do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    count.times { yield }
    count / (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start)
  end
  rates.sort[1].round
end

ENV["TZ"] = "UTC"
file = JSON.parse(File.read(ARGV[0]))
template = Liquid::Template.parse(file["template"])
abort "renders something else" unless template.render(file["context"]) == file["expected"]
puts "ruby-liquid #{Liquid::VERSION}: #{rate(5_000) { template.render(file["context"]) }} renders/s, " \
     "#{rate(3_000) { Liquid::Template.parse(file["template"]) }} parses/s"
